import type { Mutant } from './mutant.ts';

const CODE_TESTS = ['test/runtime/workers/iam/authorization-codes.test.ts'];
const REQUEST_TESTS = ['domain/identity/authorization-request.test.ts'];
const REDIRECT_TESTS = ['domain/identity/redirect-uri.test.ts'];
const METADATA_TESTS = ['domain/identity/client-metadata.test.ts'];

/** Sign-in by a browser: whom an answer reaches, what a code buys, and what an agent may do. */
export const AUTHORIZATION_MUTANTS: readonly Mutant[] = [
  {
    rule: 'authorization: a challenge of another method than S256 is refused',
    file: 'domain/identity/authorization-request.ts',
    from: "get('code_challenge_method') !== 'S256' || ",
    to: '',
    tests: REQUEST_TESTS,
  },
  {
    rule: 'authorization: a redirect URI that is named twice is nobody’s',
    file: 'domain/identity/authorization-request.ts',
    from: 'return values?.length === 1 ? (values[0] ?? null) : null;',
    to: 'return values?.[0] ?? null;',
    tests: REQUEST_TESTS,
  },
  {
    rule: 'authorization: a redirect URI is the same text, but for the port on loopback',
    file: 'domain/identity/redirect-uri.ts',
    from: 'uri === asked || (LOOPBACK.test(uri) && withoutPort(uri) === withoutPort(asked))',
    to: 'asked.startsWith(uri)',
    tests: REDIRECT_TESTS,
  },
  {
    rule: 'authorization: no client is answered over plain HTTP beyond the own machine',
    file: 'domain/identity/redirect-uri.ts',
    from: "return url.protocol === 'http:' ? LOOPBACK.test(text) : OWN_SCHEME.test(url.protocol);",
    to: "return url.protocol === 'http:' || OWN_SCHEME.test(url.protocol);",
    tests: REDIRECT_TESTS,
  },
  {
    rule: 'authorization: a document of a client states the address under which it was asked for',
    file: 'domain/identity/client-metadata.ts',
    from: 'stated.client_id === url && ',
    to: '',
    tests: METADATA_TESTS,
  },
  {
    rule: 'authorization: a code buys for its own client',
    file: 'application/identity/grants/authorization-code-grant.ts',
    from: 'if (grant === null || grant.clientId !== client.id) return INVALID;',
    to: 'if (grant === null) return INVALID;',
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: a code buys for whoever knows its verifier',
    file: 'application/identity/grants/authorization-code-grant.ts',
    from: ' || !(await isVerifierOf(grant.challenge, codeVerifier))',
    to: '',
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: a second use of a code ends what the first has bought',
    file: 'application/identity/grants/authorization-code-grant.ts',
    from: 'if (grant.usedAt !== null) {\n    await endGrant(grant, env);\n',
    to: 'if (grant.usedAt !== null) {\n',
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: a code is good for a minute',
    file: 'data/identity/authorizations.ts',
    from: 'AND used_at IS NULL AND expires_at >',
    to: 'AND used_at IS NULL AND 0 <',
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: a form comes from a page of ours',
    file: 'workers/iam/authorize/authorize-routes.ts',
    from: "if (c.req.header('origin') !== new URL(c.env.IAM_ISSUER).origin) return false;",
    to: '',
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: a form belongs to the browser and the request that it was shown for',
    file: 'application/identity/authorization/form-token.ts',
    from: "return of.browser !== '' && isEqual(await formTokenOf(env, of), token);",
    to: "return of.browser !== '' && token !== '';",
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: sessions and codes that a kill switch was pulled after open nothing',
    file: 'data/identity/browser-sessions.ts',
    from: ' AND tokens_valid_after <',
    to: ' AND 0 <',
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: no document is fetched for somebody who is not signed in',
    file: 'workers/iam/authorize/read-request.ts',
    from: "const session = await sessionOfBrowser(c.env, cookieOf(c, 'session'));",
    to: "if (known === null) await clientOfDocument(c.env, asker.clientId);\n  const session = await sessionOfBrowser(c.env, cookieOf(c, 'session'));",
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: a document is fetched from the public internet alone',
    file: 'application/identity/authorization/client-document.ts',
    from: 'if (!address.ok) return null;\n  const document = await fetchDocument(address.value);',
    to: 'const document = await fetchDocument(clientId);',
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: a token of the agent server opens nothing else',
    file: 'durable-objects/credentials/access-token.ts',
    from: "return isTaken ? result : err('audience');",
    to: "return isTaken || result.value.keyId !== null ? result : err('audience');",
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: an agent names no other key than its own',
    file: 'workers/agent/answer-message.ts',
    from: ' || (wanted !== null && wanted !== token.keyId)',
    to: '',
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: an agent acts under the key of its consent',
    file: 'workers/agent/answer-message.ts',
    from: 'return ok(token.keyId);',
    to: 'return ok(null);',
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: an agent that may trade has a limit of a day',
    file: 'workers/iam/authorize/limits-form.ts',
    from: '...(dailyNotionalMax === null && fields.mayTrade ?',
    to: '...(dailyNotionalMax === null && fields.mayTrade && fields.symbols === fields.dailyLoss ?',
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: tokens of a stranger’s application open what a person is alone',
    file: 'application/identity/authorization/target.ts',
    from: "if (client.kind === 'venue') return",
    to: 'if (client.kind.length > 0) return',
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: what an ended consent has given ends',
    file: 'data/identity/client-consents.ts',
    from: ') WHERE true',
    to: ') WHERE false',
    tests: CODE_TESTS,
  },
  {
    rule: 'authorization: an address registers ten clients a day',
    file: 'data/identity/registered-clients.ts',
    from: 'WHERE address =',
    to: 'WHERE address <>',
    tests: CODE_TESTS,
  },
];
