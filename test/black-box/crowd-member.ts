/** A user to be: the API key, the machine client and the account carry its name too. */
export interface MemberRequest {
  readonly name: string;
  readonly secret: string;
}
