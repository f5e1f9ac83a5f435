const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;
const QUERY_VALUE = /([?&;][^=&;#]*=)[^&;#]*/g;

/** A camera's address for those who may not see its credentials: without user, password and what its query says. */
export function withoutCredentials(source: string): string {
  return source.replace(USER_INFO, '$1***@').replaceAll(QUERY_VALUE, '$1***');
}
