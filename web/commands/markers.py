"""`meldwatch markers`: a page of printed markers for the corners of the table."""

from __future__ import annotations

from pathlib import Path

import click

from web.commands.common import CouldNotStart

EPILOGUE = """\
\b
Print the page in its own size (A4, 100 %), cut the four markers apart with
their white rims, and lay them flat at the corners of the table, 0, 1, 2, 3
clockwise. While the camera sees all four, the table is what lies between them.
\b
Example:
  meldwatch markers --out markers.svg
"""


@click.command(epilog=EPILOGUE, short_help="Write a page of markers for the table's corners.")
@click.option(
    "--out",
    "out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    required=True,
    help="The SVG file to write; a file of that name is replaced.",
)
def markers(out: Path) -> None:
    """Write a page of four markers that say where the table is, to be printed."""
    from vision.calibration.markers import marker_page

    try:
        out.write_text(marker_page(), "utf-8")
    except OSError as error:
        raise CouldNotStart(f"cannot write {out}: {error.strerror}") from error
    click.echo(f"Written: {out}")
