export { type ApiNumber, JsonNumber, parseJson, writeJson } from '../../../clients/sdk/wire/json.ts';
