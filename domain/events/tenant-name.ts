/** What parts the two names, and what marks it where a name has it itself. */
const PARTING = '/';
const ESCAPED: Readonly<Record<string, string>> = { [PARTING]: '%2F', '%': '%25' };

/**
 * The tenant of an organization, as rows and keys name it: the organization, where it is its own only tenant, else both. No two other pairs have one name,
 * whatever is in theirs: a provider may allow names with a `/`.
 */
export function tenantName(organization: string, tenant: string): string {
  return tenant === organization ? escaped(organization) : `${escaped(organization)}${PARTING}${escaped(tenant)}`;
}

/** Whose tenant it is. */
export function organizationOf(name: string): string {
  const [organization = ''] = name.split(PARTING);
  return organization.replaceAll(ESCAPED[PARTING]!, PARTING).replaceAll(ESCAPED['%']!, '%');
}

function escaped(name: string): string {
  return name.replaceAll(/[/%]/g, (character) => ESCAPED[character]!);
}
