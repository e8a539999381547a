#!/bin/bash
# The first-start contract of the published Postgres image, written anew for the stand-in:
# on an empty volume a cluster is made from the environment, on any other the environment is ignored.
set -euo pipefail

fail() {
    echo "postgres (stand-in): $*" >&2
    exit 1
}

# secret NAME [DEFAULT]: take the value from NAME or from the file that NAME_FILE names.
secret() {
    local name="$1" file="${1}_FILE" value="${2:-}"
    if [[ -n "${!name:-}" && -n "${!file:-}" ]]; then
        fail "$name and $file are both set; set one of them"
    fi
    if [[ -n "${!name:-}" ]]; then
        value="${!name}"
    elif [[ -n "${!file:-}" ]]; then
        [[ -r "${!file}" ]] || fail "$file names ${!file}, which cannot be read"
        value="$(< "${!file}")"
    fi
    export "$name=$value"
    unset "$file"
}

read_environment() {
    secret POSTGRES_PASSWORD
    secret POSTGRES_USER postgres
    secret POSTGRES_DB "$POSTGRES_USER"
    secret POSTGRES_INITDB_ARGS
}

# Checked before anything is written: a refused start leaves the volume empty for the corrected one.
check_password() {
    if [[ -z "$POSTGRES_PASSWORD" && "${POSTGRES_HOST_AUTH_METHOD:-}" != trust ]]; then
        fail "the volume is empty and POSTGRES_PASSWORD is not set: set it, or" \
            "POSTGRES_HOST_AUTH_METHOD=trust to let everybody in without a password"
    fi
    if [[ "${POSTGRES_HOST_AUTH_METHOD:-}" == trust ]]; then
        echo "postgres (stand-in): POSTGRES_HOST_AUTH_METHOD=trust lets everybody in without a password" >&2
    fi
}

make_directories() {
    mkdir -p "$PGDATA"
    chmod 0700 "$PGDATA" 2> /dev/null || true
    mkdir -p /var/run/postgresql 2> /dev/null || true
    if [[ -n "${POSTGRES_INITDB_WALDIR:-}" ]]; then
        mkdir -p "$POSTGRES_INITDB_WALDIR"
        chmod 0700 "$POSTGRES_INITDB_WALDIR"
    fi
}

make_cluster() {
    # These programs were built with another place for the socket than the published image's.
    local arguments=(--pgdata="$PGDATA" --username="$POSTGRES_USER" --set=unix_socket_directories=/var/run/postgresql)
    if [[ -n "${POSTGRES_INITDB_WALDIR:-}" ]]; then
        arguments+=(--waldir="$POSTGRES_INITDB_WALDIR")
    fi
    # The arguments are one string by contract, quoting in it included.
    eval 'initdb "${arguments[@]}" --pwfile=<(printf "%s\n" "$POSTGRES_PASSWORD") '"$POSTGRES_INITDB_ARGS"' "$@"'
    local method="${POSTGRES_HOST_AUTH_METHOD:-$(postgres -C password_encryption -D "$PGDATA")}"
    printf '\nhost all all all %s\n' "$method" >> "$PGDATA/pg_hba.conf"
}

local_psql() {
    PGHOST=/var/run/postgresql PGPASSWORD="$POSTGRES_PASSWORD" \
        psql --no-psqlrc --no-password --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" "$@"
}

make_database() {
    if [[ "$POSTGRES_DB" != postgres ]]; then
        local_psql --dbname postgres --set name="$POSTGRES_DB" <<< 'CREATE DATABASE :"name";'
    fi
}

run_initialisation_files() {
    local file
    for file in /docker-entrypoint-initdb.d/*; do
        [[ -e "$file" ]] || continue
        echo "postgres (stand-in): running $file"
        case "$file" in
            *.sh) if [[ -x "$file" ]]; then "$file"; else . "$file"; fi ;;
            *.sql) local_psql --dbname "$POSTGRES_DB" --file "$file" ;;
            *.sql.gz) gunzip --stdout "$file" | local_psql --dbname "$POSTGRES_DB" ;;
            *) echo "postgres (stand-in): ignored $file" ;;
        esac
    done
}

# Nobody can connect from outside before the database and its passwords are complete.
initialise() {
    check_password
    make_cluster
    pg_ctl --pgdata="$PGDATA" --wait --silent --options="-c listen_addresses=''" start
    make_database
    run_initialisation_files
    pg_ctl --pgdata="$PGDATA" --wait --silent --mode=fast stop
    echo "postgres (stand-in): the volume was empty and is initialised"
}

only_informs() {
    local argument
    for argument in "$@"; do
        case "$argument" in
            -'?' | --help | --describe-config | -V | --version | -C) return 0 ;;
        esac
    done
    return 1
}

main() {
    if [[ "${1:-}" == -* ]]; then
        set -- postgres "$@"
    fi
    if [[ "$1" == postgres ]] && ! only_informs "$@"; then
        make_directories
        if [[ "$(id -u)" == 0 ]]; then
            find "$PGDATA" /var/run/postgresql \! -user postgres -exec chown postgres '{}' +
            exec setpriv --reuid=postgres --regid=postgres --init-groups -- "$0" "$@"
        fi
        if [[ -s "$PGDATA/PG_VERSION" ]]; then
            echo "postgres (stand-in): the volume holds a database; POSTGRES_* variables are ignored"
        else
            read_environment
            initialise
        fi
    fi
    exec "$@"
}

main "$@"
