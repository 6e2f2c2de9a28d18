# Makes the files of this folder. They were made with R 4.2.2:  LC_ALL=C.UTF-8 Rscript make_rfiles.R
kinds <- data.frame(
  factor = factor(c("b", "a", NA, "b"), levels = c("b", "a", "empty")),
  ordered = factor(c("low", "high", "low", NA), levels = c("low", "high"), ordered = TRUE),
  added_na = addNA(factor(c("y", NA, "x", "y"))),
  integer = c(1L, NA, 3L, -4L),
  sequence = 1:4,
  logical = c(TRUE, NA, FALSE, TRUE),
  truth = c(TRUE, FALSE, TRUE, TRUE),
  numeric = c(0.1, NA, NaN, -Inf),
  text = c("NA", NA, "\u00e4 \u65e5", ""),
  date = as.Date(c("2020-02-29", NA, "1969-12-31", "9999-12-31")),
  utc = as.POSIXct(c("2020-05-01 12:00:00.5", NA, "1969-12-31 23:59:59", "2020-10-25 01:30:00"), tz = "UTC"),
  berlin = as.POSIXct("2020-07-01 12:00:00", tz = "Europe/Berlin"),
  hours = as.difftime(c(1.5, NA, 0, 48), units = "hours")
)
kinds$from_numeric <- as.character(c(0.1 + 0.2, 1e6, NA, NaN)) # R leaves this undone, and writes the numbers
kinds$from_integer <- as.character(c(1L, NA, 3L, 100000L))
kinds$integer64 <- structure(c(2^-1074, -0, 3 * 2^-1074, 0), class = "integer64") # the bits of 1, NA, 3, 0
kinds$as_is <- I(c(1, 2, 3, 4))
saveRDS(kinds, "kinds.rds")
saveRDS(kinds, "kinds_version_2.rds", version = 2, compress = "bzip2")
saveRDS(kinds, "kinds_text.rds", ascii = TRUE, compress = FALSE)
writeBin(serialize(kinds, NULL, xdr = FALSE), "kinds_native.rds")
save(kinds, file = "kinds.rda", compress = "xz")
save(kinds, file = "kinds_text.RData", ascii = TRUE)

options(scipen = 100)
wide <- data.frame(n = 1:2)
wide$text <- as.character(c(1e15, 1e-7))
saveRDS(wide, "scipen.rds")
options(scipen = 0)

named <- data.frame(x = 1:2, row.names = c("first", "second"))
numbered <- data.frame(x = 1:5)[c(2, 5), , drop = FALSE]
m <- matrix(1:4, 2)
run_me <- function() writeLines("run", "was_run")
holder <- new.env()
holder$kinds <- kinds
save(named, numbered, m, run_me, holder, file = "several.RData")
delayedAssign("trap", writeLines("run", "was_run"))
save(named, trap, file = "promise.RData", eval.promises = FALSE)
saveRDS(run_me, "function.rds")
saveRDS(structure(list(a = 1), class = "lm"), "model.rds")

odd <- data.frame(kept = 1:2)
odd$list <- list(1, "a")
odd$matrix <- matrix(1:4, 2)
odd$complex <- complex(real = 1:2, imaginary = 0)
odd$lt <- as.POSIXlt(c("2020-01-01", "2020-01-02"), tz = "UTC")
odd$money <- structure(c(1, 2), class = "money")
odd$last <- c("x", "y")
saveRDS(odd, "odd.rds")

twice <- data.frame(a = 1:2, a = 3:4, check.names = FALSE)
class(twice) <- c("tbl_df", "tbl", "data.frame")
saveRDS(twice, "twice.rds")
saveRDS(data.frame(), "no_columns.rds")
saveRDS(kinds[0, c("factor", "integer", "text", "date")], "no_rows.rds")

latin1 <- "caf\xe9"
Encoding(latin1) <- "latin1"
saveRDS(data.frame(x = latin1), "latin1.rds")
unmarked <- "caf\xe9"
Encoding(unmarked) <- "unknown"
saveRDS(data.frame(x = unmarked), "unmarked.rds")
unmarked <- "caf\xc3\xa9"
Encoding(unmarked) <- "unknown"
saveRDS(data.frame(x = unmarked), "unmarked_utf8_version_2.rds", version = 2)

many <- paste0("x", 1:2000)
for (name in many) assign(name, 1L)
save(list = many, file = "many.RData")
