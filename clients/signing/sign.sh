#!/usr/bin/env bash
# Prints X-API-Signature of a request (docs/design/identity.md#signatures); the body comes on standard input.
#   printf '%s' "$body" | sign.sh <secret> <timestamp in Unix ms> <METHOD> <path with query>
set -euo pipefail
secret=$1 timestamp=$2 method=$3 path=$4
body_hash=$(openssl dgst -sha256 -r | cut -d ' ' -f 1)
printf '%s\n%s\n%s\n%s' "$timestamp" "$method" "$path" "$body_hash" | openssl dgst -sha256 -hmac "$secret" -r | cut -d ' ' -f 1
