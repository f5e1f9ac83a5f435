import type { ToolError } from './tool-outcome.ts';

/** What tools call otherwise than profile B, as `get_markets` and the parameters of orders do. */
const WORDS: Readonly<Record<string, string>> = { size: 'quantity', sizeMin: 'minQuantity', sizeMax: 'maxQuantity' };

/** An error of profile B in the words of tools: details in camelCase as their results are, and the parameter that the tool has. */
export function inWordsOfTools({ code, message, details }: ToolError): ToolError {
  const { field } = details;
  if (typeof field !== 'string') return { code, message, details: renamed(details) };
  const parameter = WORDS[field] ?? field;
  return { code, message: message.replace(field, parameter), details: { ...renamed(details), field: parameter } };
}

function renamed(details: ToolError['details']): ToolError['details'] {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [wordOf(name), value]));
}

function wordOf(name: string): string {
  const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return WORDS[camel] ?? camel;
}
