"""The command `server`: the language server, if what it needs is installed."""

from __future__ import annotations

import click

from recipelint.cli.options import UserError

NEEDED = frozenset({"pygls", "lsprotocol", "cattrs", "attrs", "attr"})


@click.command(short_help="Speak the Language Server Protocol with an editor.")
@click.option("--stdio", is_flag=True, help="On standard input and output: the only way there is, and the default.")
@click.help_option("-h", "--help")
@click.pass_context
def server(ctx: click.Context, /, stdio: bool) -> None:
    """Speak the Language Server Protocol on standard input and output. An editor starts this, not a person."""
    try:
        from recipelint.server.features import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in NEEDED:
            raise
        raise UserError("the server needs pygls, of recipelint's extra 'server': pip install 'pygls>=2'") from error
    ctx.exit(serve())
