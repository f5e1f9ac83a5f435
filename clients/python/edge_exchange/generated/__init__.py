"""Types and calls that scripts/sdk/api-types.ts writes."""
