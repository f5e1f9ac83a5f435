/** Carries a one-time code to its phone. */
export interface OtpSender {
  /** @throws when the message was not accepted */
  send(phone: string, text: string): Promise<void>;
}
