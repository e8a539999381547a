"""The database as the pool answers for it: each statement of computers.py and data_folder.py by its beginning."""

from typing import Any


class FakePool:
    """Rows by bot; a statement it does not know is an error, so that a new one is not answered by accident."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {}
        self.marker: str | None = None
        self.migrated = True

    async def execute(self, sql: str, *values: Any) -> None:
        """Answer INSERT and UPDATE."""
        if sql.startswith("INSERT INTO computer"):
            row = {"bot": values[0], "name": values[1], "state": "stopped", "generation": 0}
            self.rows.setdefault(values[0], row)
        elif "SET state = 'error'" in sql:
            self.rows[values[0]]["state"] = "error"
        elif "SET state = 'stopped'" in sql:
            self._named(values[0])["state"] = "stopped"
        elif sql.startswith("INSERT INTO data_folder"):
            self.marker = values[0]
        else:
            raise AssertionError(sql)

    async def fetchval(self, sql: str, *values: Any) -> Any:
        """Answer the claim, the new generation, the check for a row and what marks the data folder."""
        if sql == "SELECT to_regclass('data_folder')":
            return "data_folder" if self.migrated else None
        if sql.startswith("SELECT marker FROM data_folder"):
            return self.marker
        if sql.startswith("SELECT count(*) FROM computer"):
            return sum(row["state"] == "running" and row["bot"] != values[0] for row in self.rows.values())
        if "CASE state" in sql:
            return 1
        if "generation = generation + $2" in sql:
            row = self.rows[values[0]]
            row["state"], row["generation"] = "running", row["generation"] + values[1]
            return row["generation"]
        if sql.startswith("SELECT 1"):
            return 1 if self._named(values[0]) else None
        raise AssertionError(sql)

    async def fetchrow(self, sql: str, *values: Any) -> dict[str, Any] | None:
        """Answer the look-up by name."""
        if sql.startswith("SELECT * FROM computer WHERE name"):
            return self._named(values[0]) or None
        raise AssertionError(sql)

    def _named(self, name: str) -> dict[str, Any]:
        return next((row for row in self.rows.values() if row["name"] == name), {})
