import type { Mutant } from './mutant.ts';

const MAIL_TESTS = ['test/runtime/workers/iam/mail.test.ts'];
const RULE_TESTS = ['domain/mail/mail-rules.test.ts'];
const TEXT_TESTS = ['domain/mail/render-mail.test.ts'];
const HTTP_TESTS = ['application/mail/mailers/http-mailer.test.ts'];

/** What is told by mail: to whom, how often, once, sealed, and ended by nobody else. */
export const MAIL_MUTANTS: readonly Mutant[] = [
  {
    rule: 'mail: a message that is claimed is nobody else’s',
    file: 'data/mail/mail-messages.ts',
    from: `AND state IN ('queued', 'sending') AND due_at <= \${now}
      RETURNING id`,
    to: `AND state IN ('queued', 'sending')
      RETURNING id`,
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: what was sent is not sent again',
    file: 'data/mail/mail-messages.ts',
    from: `AND state IN ('queued', 'sending') AND due_at <= \${now}
      RETURNING id`,
    to: `AND due_at <= \${now} + 3600000
      RETURNING id`,
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: the id of a message is the provider’s idempotency key',
    file: 'application/mail/mailers/http-mailer.ts',
    from: "'idempotency-key': id",
    to: "'idempotency-key': crypto.randomUUID()",
    tests: HTTP_TESTS,
  },
  {
    rule: 'mail: no redirect of a provider is given its token',
    file: 'application/mail/mailers/http-mailer.ts',
    from: "redirect: 'manual'",
    to: "redirect: 'follow'",
    tests: HTTP_TESTS,
  },
  {
    rule: 'mail: what a provider refuses is not tried again',
    file: 'application/mail/mailers/http-mailer.ts',
    from: 'if (status >= 400 && status < 500 && !LATER.has(status))',
    to: 'if (false)',
    tests: HTTP_TESTS,
  },
  {
    rule: 'mail: an address or a user gets so many',
    file: 'data/mail/mail-messages.ts',
    from: `AND kind IN \${limit.kinds}) < \${limit.count}`,
    to: `AND kind IN \${limit.kinds}) < 1000000`,
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: preferences use up nothing of security',
    file: 'domain/mail/mail-limits.ts',
    from: "kinds: kindsOfClass('security') }",
    to: "kinds: [...kindsOfClass('security'), ...kindsOfClass('preference')] }",
    tests: RULE_TESTS,
  },
  {
    rule: 'mail: nothing goes to an address that nobody has confirmed',
    file: 'data/mail/mail-messages.ts',
    from: `sql\`EXISTS (SELECT 1 FROM mail_addresses WHERE user_id = \${userId})\``,
    to: 'sql`true`',
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: an address is one person’s',
    file: 'data/identity/mail-address.ts',
    from: ' AND NOT (',
    to: ' OR (',
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: what it says is bound to its row',
    file: 'application/mail/mail-content.ts',
    from: `return \`mail \${id}\`;`,
    to: "return id === '' ? '' : 'mail';",
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: what was sent is forgotten',
    file: 'data/mail/mail-messages.ts',
    from: "[sql`content_sealed = ''`, ",
    to: '[sql`attempts = attempts`, ',
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: what is switched off while it waits is not sent',
    file: 'application/mail/send-mail.ts',
    from: "if (!mail.isWanted) return { state: 'dropped', reason: 'switched_off' };",
    to: '',
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: mail of security cannot be switched off',
    file: 'application/mail/mail-preferences.ts',
    from: 'if (fixed !== undefined) return fixed;',
    to: '',
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: a token ends the mails that it names',
    file: 'application/mail/unsubscribe-token.ts',
    from: `=> \`\${kind}\\n\${userId}\`;`,
    to: '=> userId.slice(0, 0) + kind;',
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: mail of security has no way to end it',
    file: 'application/mail/mail-preferences.ts',
    from: "if (ruleOfMail(subscription.kind).class === 'security') return false;",
    to: '',
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: a GET ends nothing',
    file: 'workers/iam/mail/unsubscribe-routes.ts',
    from: '!(await isUnsubscribable(c.env, subscription, query.token))',
    to: '!(await unsubscribe(c.env, subscription, query.token))',
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: the outbox is there in the local environment alone',
    file: 'application/mail/mailers/mailer-of.ts',
    from: "return env.ENVIRONMENT === 'local' ? outboxMailer(env) : null;",
    to: 'return outboxMailer(env);',
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: what the queue lost is carried by the job',
    file: 'data/mail/mail-messages.ts',
    from: `WHERE state IN ('queued', 'sending') AND due_at <= \${dueBy}`,
    to: `WHERE state IN ('sending') AND due_at <= \${dueBy}`,
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: a device that was seen is not told of',
    file: 'application/mail/new-device-mail.ts',
    from: `sql\`NOT \${known} AND \${when}\``,
    to: 'when',
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: a refresh is no sign-in',
    file: 'data/identity/sessions.ts',
    from: `WHERE id = \${id} AND begun_at = CAST(\${at} AS INTEGER))
             AND NOT EXISTS (SELECT 1 FROM sign_ins WHERE id = \${id})`,
    to: `WHERE id = \${id})`,
    tests: MAIL_TESTS,
  },
  {
    rule: 'mail: what it says is escaped',
    file: 'domain/mail/render-mail.ts',
    from: "return text.replace(/[&<>\"']/g, (character) => ENTITIES[character] ?? '');",
    to: 'return ENTITIES[text] ?? text;',
    tests: TEXT_TESTS,
  },
  {
    rule: 'mail: a fact is one line',
    file: 'domain/mail/mail-kinds.ts',
    from: "value.replace(/[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+/gu, ' ').trim()",
    to: 'value',
    tests: RULE_TESTS,
  },
];
