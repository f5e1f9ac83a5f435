import { hasUnseen } from '../register/look-alike.ts';

const LENGTH_MAX = 320;
/** Characters of an unquoted local part: those of RFC 5322, and by RFC 6531 all beyond ASCII that print. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~\u00a1-\u{10ffff}-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\u00a1-\u{10ffff}-]+)*$/iu;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;
/** Spaces and controls. */
const BLANK = /[\p{Z}\p{C}]/u;

/** Whether a text is an address for mail, with or without characters beyond ASCII (RFC 5321, RFC 6531). Quoted local parts and addresses of IP are not taken. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  const labels = domain.split('.');
  return (
    at > 0 &&
    text.length <= LENGTH_MAX &&
    !BLANK.test(text) &&
    !hasUnseen(text) &&
    LOCAL.test(local) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(hostOf(domain)?.split('.').at(-1) ?? '0')
  );
}

/**
 * What spellings of one address have in common: case and width, how marks are composed, and how a domain beyond ASCII is written (IDNA). Letters with two
 * small forms, or two capitals, count as one: a final sigma, a sharp s.
 */
export function sameEmail(text: string): string {
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  return `${folded(text.slice(0, at))}@${hostOf(domain) ?? folded(domain)}`;
}

/** The same as it was taken before: attendees of then may still be found by it. */
export function sameEmailBefore(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function folded(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** A domain as names of hosts are asked for; null for what none can be. */
function hostOf(domain: string): string | null {
  return URL.parse(`http://${domain}`)?.hostname ?? null;
}
