"""Files in and out: deck.toml, table.json, game record, judgement lines. Each is read and written in one place."""
