"""The database's migrations: forward only, each applied once and in order."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Migration:
    """One step; `alone` means that Postgres refuses it inside a transaction."""

    name: str
    sql: str
    alone: bool = False


QUEUE = """
CREATE SCHEMA IF NOT EXISTS graphile_worker;
CREATE TABLE IF NOT EXISTS graphile_worker.jobs (
  id bigserial PRIMARY KEY, task text NOT NULL, payload jsonb NOT NULL,
  lease_until timestamptz, created timestamptz NOT NULL DEFAULT now());
"""
"""What worker makes for itself when its login may and migrate has not."""

MIGRATIONS = (
    Migration(
        "0001_accounts",
        """
        CREATE TABLE deployment_settings (id int PRIMARY KEY, started timestamptz NOT NULL);
        CREATE TABLE account (
          id uuid PRIMARY KEY, email text NOT NULL UNIQUE, name text NOT NULL, password text NOT NULL,
          created timestamptz NOT NULL DEFAULT now());
        CREATE TABLE session (
          token text PRIMARY KEY, account uuid NOT NULL REFERENCES account ON DELETE CASCADE,
          expires timestamptz NOT NULL);
        """,
    ),
    Migration(
        "0002_computers",
        """
        CREATE TABLE computer (
          bot text PRIMARY KEY, name text NOT NULL UNIQUE, state text NOT NULL DEFAULT 'stopped',
          generation int NOT NULL DEFAULT 0, claimed_until timestamptz);
        CREATE TABLE run (
          id uuid PRIMARY KEY, bot text NOT NULL, command jsonb NOT NULL, state text NOT NULL,
          artifact text, error text, created timestamptz NOT NULL DEFAULT now());
        """,
    ),
    Migration("0003_run_index", "CREATE INDEX CONCURRENTLY run_bot ON run (bot)", alone=True),
    Migration(
        "0004_row_security",
        """
        ALTER TABLE account ENABLE ROW LEVEL SECURITY;
        CREATE POLICY app ON account USING (true);
        ALTER TABLE run ENABLE ROW LEVEL SECURITY;
        CREATE POLICY app ON run USING (true);
        """,
    ),
    Migration("0005_queue", QUEUE),
    Migration("0006_data_folder", "CREATE TABLE data_folder (id int PRIMARY KEY, marker text NOT NULL)"),
)

LEDGER = """
CREATE TABLE IF NOT EXISTS _prisma_migrations (
  migration_name text PRIMARY KEY, finished_at timestamptz NOT NULL DEFAULT now())
"""


def grants(login: str) -> str:
    """Return the app login's rights: rows of every table, objects of none."""
    schemas = "public, graphile_worker"
    return f"""
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    GRANT USAGE ON SCHEMA {schemas} TO {login};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schemas} TO {login};
    GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA {schemas} TO {login};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO {login};
    REVOKE ALL ON TABLE _prisma_migrations FROM {login};
    """
