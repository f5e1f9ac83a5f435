#!/usr/bin/env bash
# Prints X-API-Signature of a request (docs/design/identity.md#signatures); the body comes on standard input.
#   printf '%s' "$body" | sign.sh <secret> <timestamp in Unix ms> <METHOD> <path with query>
set -euo pipefail
secret=$1 timestamp=$2 method=$3 path=$4
export LC_ALL=C

# Percent-encodes the bytes of a text that are no ASCII, or one of the characters of the second.
escape() {
  local text=$1 escapes=$2 i byte code
  for ((i = 0; i < ${#text}; i++)); do
    byte=${text:i:1}
    printf -v code '%d' "'$byte"
    ((code &= 255)) || true
    if ((code < 32 || code > 126)) || [[ $escapes == *"$byte"* ]]; then printf '%%%02X' "$code"; else printf '%s' "$byte"; fi
  done
}

# A path without its segments `.` and `..`.
remove_dots() {
  local rest=${1//\\//}/ segment kept=()
  rest=${rest#/}
  while [[ -n $rest ]]; do
    segment=${rest%%/*}
    rest=${rest#*/}
    case ${segment//%2[eE]/.} in
      .) [[ -n $rest ]] || kept+=('') ;;
      ..)
        ((${#kept[@]} == 0)) || unset 'kept[-1]'
        [[ -n $rest ]] || kept+=('')
        ;;
      *) kept+=("$segment") ;;
    esac
  done
  printf '/%s' "${kept[@]}"
}

# What is signed is the path with its query as the URL standard writes it.
query=
[[ $path != *\?* ]] || query=${path#*\?}
signed=$(escape "$(remove_dots "${path%%\?*}")" ' "<>^`{}')
[[ -z $query ]] || signed+="?$(escape "$query" " \"'<>")"

body_hash=$(openssl dgst -sha256 -r | cut -d ' ' -f 1)
printf '%s\n%s\n%s\n%s' "$timestamp" "$method" "$signed" "$body_hash" | openssl dgst -sha256 -hmac "$secret" -r | cut -d ' ' -f 1
