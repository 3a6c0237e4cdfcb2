"""Plots two months of weather. A plugin reads the CSV file into columns. Each `# %%` begins a cell of a notebook.

Usage: main.py [FILE-OF-THE-PLOT]
"""

# %% Imports
from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
from columns import ColumnException, Columns, CsvErrorUneven, CsvException, Dialect, Kind

mpl.use("agg")
from matplotlib import pyplot as plt

HERE = Path(__file__).parent
PLOT = Path(sys.argv[1] if len(sys.argv) > 1 else "weather.png")

# `rustbridge build` copies the library to this folder. The system's prefix and ending of the file name can be left out.
plugin = Columns.load(HERE / "columns_plugin")

# %% The table is an object that stays in the plugin and has methods
table = plugin.read(Dialect(delimiter=";"), (HERE.parent / "weather.csv").read_bytes())
print(f"{table.rows()} rows")
for column in table.columns():
    print(f"  {column.name}: {column.kind.name.lower()}, {column.missing} missing")

# %% Columns of numbers are bytes that NumPy reads in place: it parses nothing and makes no further copy
numbers = {
    column.name: np.frombuffer(table.numbers(column.name), dtype=np.float64)
    for column in table.columns()
    if column.kind is Kind.NUMBERS
}
days = np.array(table.texts("date"), dtype="datetime64[D]")
for name, values in numbers.items():
    print(f"{name}: {np.nanmin(values):.1f} to {np.nanmax(values):.1f}, {np.nanmean(values):.2f} on average")

# %% Errors have details: a column that doesn't have numbers, and a file that isn't a table
try:
    table.numbers("sky")
except ColumnException as failed:
    print(f"{type(failed.error).__name__}: {failed}")
try:
    plugin.read(Dialect(), b"a,b\n1,2\n3\n")
except CsvException as failed:
    if isinstance(failed.error, CsvErrorUneven):
        print(f"line {failed.error.line} of another file is {failed.error.found} cell long")

# %% The plot
figure, (above, below) = plt.subplots(2, sharex=True, figsize=(8, 5), height_ratios=(2, 1))
above.fill_between(days, numbers["low"], numbers["high"], alpha=0.3)
above.plot(days, (numbers["low"] + numbers["high"]) / 2)
above.set_ylabel("°C")
below.bar(days, np.nan_to_num(numbers["rain"]))
below.set_ylabel("mm")
figure.autofmt_xdate()
figure.savefig(PLOT)
print(f"plotted to {PLOT.name}")

# %% Close the table, then the plugin. Closing the plugin would release the table, too
table.close()
plugin.close()
