import { expect, test } from 'vitest';
import { providerPage } from './provider-page.ts';

const IAM_ISSUER = 'https://id.example';

test('only the embedded identity provider has pages that are known', () => {
  const own = { IAM_ISSUER, IAM_JWKS_URL: '' };
  expect(providerPage(own, 'security')).toBe('https://id.example/security');
  expect(providerPage({ ...own, IAM_JWKS_URL: 'https://id.example/.well-known/jwks' }, 'identity')).toBe(
    'https://id.example/identity',
  );
  expect(providerPage({ ...own, IAM_JWKS_URL: 'https://login.example/keys' }, 'security')).toBeNull();
});
