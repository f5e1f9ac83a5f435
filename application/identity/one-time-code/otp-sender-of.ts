import { httpOtpSender } from './http-otp-sender.ts';
import { localOtpSender } from './local-otp-sender.ts';
import type { OtpSender } from './otp-sender.ts';

/** The sender that the environment is configured for; null when it has none, and is not local. */
export function otpSenderOf(env: Env): OtpSender | null {
  if (env.OTP_GATEWAY_URL !== '') return httpOtpSender(env.OTP_GATEWAY_URL, env.OTP_GATEWAY_TOKEN);
  return env.ENVIRONMENT === 'local' ? localOtpSender(env) : null;
}
