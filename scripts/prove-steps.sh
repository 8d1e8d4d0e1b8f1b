# The steps that the proofs of the package and of the image have in common; read by them with `.`. They say in $folder where
# files go, in $port where the hub is, and in $log, where there is one, what the hub has said.
output=$folder/output
step() { printf '\n#### %s (%d s in)\n' "$*" $SECONDS; }
fail() { echo "${0##*/}: $*" >&2; [ -z "${log:-}" ] || tail -n 30 "$log" >&2; exit 1; }
holds() { local what=$1; shift; if "$@"; then echo "  $what"; else fail "not so: $what"; fi; }
# What LOOK names, a command, gets the hub's address and a word for the moment: to look at it in a browser.
look() { [ -z "${LOOK:-}" ] || "$LOOK" "http://127.0.0.1:$port" "$1"; }
is() { [ "$1" = "$2" ] || { echo "  is \"$1\", and not \"$2\"" >&2; return 1; }; }
quietly() { "$@" >"$output" 2>&1 || { cat "$output" >&2; fail "$*"; }; }

# Asks the hub as the person who has signed in.
api() {
    local method=$1 path=$2
    shift 2
    curl -sS --fail-with-body -X "$method" -H 'Content-Type: application/json' \
        ${token:+-H "Authorization: Bearer $token"} "http://127.0.0.1:$port$path" "$@"
}
sign_in() {
    token=
    token=$(api POST /api/session -d '{"email":"ines@example.org","password":"a long enough password","bearer":true}' | jq -r .token)
}
# An account by the terminal's $code, and a $device with its $device_token.
make_household() {
    token=
    api POST /api/setup -o /dev/null -d "$(jq -n --arg code "$code" '{code: $code, household: "Linden Street 5", name: "Ines",
        email: "ines@example.org", password: "a long enough password", timeZone: "Europe/Berlin"}')"
    sign_in
    local added
    added=$(api POST /api/devices -d '{"kind":"plant-sensor","name":"Fern’s sensor"}')
    device=$(jq -r .id <<<"$added")
    device_token=$(jq -r .token <<<"$added")
}
