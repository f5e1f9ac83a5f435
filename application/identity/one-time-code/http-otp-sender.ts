import type { OtpSender } from './otp-sender.ts';

const TIMEOUT_MS = 10_000;

/** Hands the message to an SMS gateway: POST of `{to, text}` as JSON to its address, with its token as Bearer. */
export function httpOtpSender(url: string, token: string): OtpSender {
  return {
    async send(phone, text) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ to: phone, text }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the SMS gateway answered ${response.status}`);
    },
  };
}
