import { z } from 'zod';
import { openSecret } from '../../data/identity/sealed-secret.ts';

/** What is sealed of a mail. */
const MailContent = z.strictObject({
  to: z.string().nullable(),
  /** The address of its reader as it lay sealed, where no stated key opened it when the mail was posted. */
  closed: z.string().optional(),
  facts: z.record(z.string(), z.string()),
});
export type MailContent = z.infer<typeof MailContent>;

/** What the seal is bound to. */
export function mailContext(id: string): string {
  return `mail ${id}`;
}

/** @throws where it was not sealed for this mail */
export async function openMail(env: Env, id: string, sealed: string): Promise<MailContent> {
  return MailContent.parse(JSON.parse(await openSecret(sealed, env.IAM_KEY_ENCRYPTION_KEY, mailContext(id))));
}
