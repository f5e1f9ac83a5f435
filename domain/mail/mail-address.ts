/** RFC 5321, 4.5.3.1. */
const MAIL_ADDRESS_LENGTH_MAX = 254;
const LOCAL_PART_LENGTH_MAX = 64;
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
/** Dot-atom of RFC 5322 before the sign, names of DNS behind it: no quotes, no comments, no literals, nothing that could begin another header. */
const ADDRESS = new RegExp(
  `^[a-zA-Z0-9!#$%&'*+/=?^_\`{|}~-]+(?:\\.[a-zA-Z0-9!#$%&'*+/=?^_\`{|}~-]+)*@(?:${LABEL}\\.)+${LABEL}$`,
);

/** Whether mail may be sent there. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAIL_ADDRESS_LENGTH_MAX && text.indexOf('@') <= LOCAL_PART_LENGTH_MAX && ADDRESS.test(text);
}

/** What two spellings of one address have in common. Case counts nowhere in practice, so it tells no two people apart. */
export function addressIdentity(address: string): string {
  return address.toLowerCase();
}

/** Providers that pass over dots before the sign, by the name that they have besides. */
const WITHOUT_DOTS: Readonly<Record<string, string>> = { 'gmail.com': 'gmail.com', 'googlemail.com': 'gmail.com' };

/** Whose mailbox an address is, as far as it says so: what is behind a `+` leads to the same one. For counting alone: nothing is sent there, and nobody is known by it. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const [name = '', domain = ''] = [address.slice(0, at).toLowerCase(), address.slice(at + 1).toLowerCase()];
  const plus = name.indexOf('+');
  const person = plus > 0 ? name.slice(0, plus) : name;
  const known = WITHOUT_DOTS[domain];
  return known === undefined ? `${person}@${domain}` : `${person.replaceAll('.', '')}@${known}`;
}

/** What is shown of an address to who need not see all of it: `o•••@example.com`. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return `${[...address.slice(0, at)][0] ?? ''}•••${address.slice(at)}`;
}

/** Purpose of the key that hashes of addresses are made under. */
export const MAIL_ADDRESS_HASH = 'mail address';
