"""The figure of a result: matplotlib's, without pyplot, that a notebook shows."""

from __future__ import annotations

from io import BytesIO

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


class ParityFigure(Figure):
    """A figure that pyplot does not keep open, and that Jupyter shows even where pyplot was never imported."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(self)

    def _repr_png_(self) -> bytes:
        image = BytesIO()
        self.savefig(image, format="png", bbox_inches="tight")
        return image.getvalue()
