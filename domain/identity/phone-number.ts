const E164 = /^\+[1-9]\d{6,14}$/;

/** Whether a phone number is in E.164 form, as usernames of the password grant are. */
export function isPhoneNumber(text: string): boolean {
  return E164.test(text);
}
