/** A JSON number, as its text: what the API sends is never a float here. */
export type ApiNumber = string;

/** A text of JSON whole, or a number. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** Reads JSON with every number as the text that stands in it. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(TEXT_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${plain(token)}"`)));
}

/** Without an exponent, which JSON allows: `1e-7` is `0.0000001`. */
function plain(source: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/.exec(source);
  if (match === null) return source;
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length)
    return `${sign}${digits}${'0'.repeat(point - digits.length)}`.replace(/^(-?)0+(?=\d)/, '$1');
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`.replace(/^(-?)0+(?=\d)/, '$1');
}

/** Of a body: it is written as a JSON number, digit by digit. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error(`${text} is no decimal number`);
    this.text = text;
  }
}

/** Writes JSON in which each `JsonNumber` is a number. */
export function writeJson(value: unknown): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${writeJson(item)}`).join(',')}}`;
}
