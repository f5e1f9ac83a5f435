import { derivedMac } from '../identity/authorization/derived-mac.ts';

/** 6 digits, each equally likely: draws that would favour the low ones are thrown away. */
export function sixDigits(): string {
  const draw = new Uint32Array(1);
  do crypto.getRandomValues(draw);
  while (draw[0]! >= 4_294_000_000);
  return String(draw[0]! % 1_000_000).padStart(6, '0');
}

/** A code as a person has typed it; null for what is none. */
export function typedMailCode(written: string): string | null {
  const code = written.replaceAll(/[\s-]/g, '');
  return /^\d{6}$/.test(code) ? code : null;
}

/** What is stored of a code that is mailed. @param id of what asks for it: the code is good nowhere else */
export function mailCodeHash(
  env: Env,
  { id, mail, code }: { readonly id: string; readonly mail: string; readonly code: string },
): Promise<string> {
  return derivedMac(env, 'code of a mail address', `${id}\n${mail}\n${code}`);
}
