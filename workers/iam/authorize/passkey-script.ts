/**
 * The one script of the pages: it asks the browser for a passkey, and sends the form with what it gets. Without it, or in a browser without passkeys, the
 * forms of passkeys stay hidden and the others work. A field of a phone number with `webauthn` in its autocomplete offers them, too.
 */
export const PASSKEY_SCRIPT = `
const form = document.querySelector('form[data-passkey]');
if (form !== null && window.PublicKeyCredential !== undefined) {
  const options = JSON.parse(form.dataset.passkey);
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const challenge = new TextEncoder().encode(options.challenge);
  const listening = new AbortController();
  let isSent = false;
  const get = (more) => navigator.credentials.get({
    publicKey: { challenge, rpId: options.rpId, userVerification: 'required', timeout: 300000 }, ...more,
  });
  const create = () => navigator.credentials.create({
    publicKey: {
      challenge,
      rp: { id: options.rpId, name: options.rpName },
      user: { ...options.user, id: new TextEncoder().encode(options.user.id) },
      pubKeyCredParams: options.algorithms.map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      excludeCredentials: options.exclude.map((id) => ({ type: 'public-key', id: bytes(id) })),
      attestation: 'none', timeout: 300000,
    },
  });
  const send = (credential) => {
    const { response } = credential;
    const fields = response.attestationObject === undefined
      ? { authenticatorData: text(response.authenticatorData), signature: text(response.signature) }
      : { attestationObject: text(response.attestationObject), transports: response.getTransports?.() ?? [] };
    form.elements.credential.value = JSON.stringify({
      id: credential.id, rawId: text(credential.rawId), type: credential.type,
      response: { clientDataJSON: text(response.clientDataJSON), ...fields },
    });
    isSent = true;
    form.submit();
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const said = form.querySelector('[role=alert]');
    said.textContent = '';
    listening.abort();
    try {
      send(await (options.user === undefined ? get({}) : create()));
    } catch (error) {
      said.textContent = error.name === 'InvalidStateError' ? said.dataset.known : said.dataset.failed;
    }
  });
  form.hidden = false;
  const field = document.querySelector('input[autocomplete~=webauthn]');
  if (field !== null && options.user === undefined)
    PublicKeyCredential.isConditionalMediationAvailable?.().then((may) => {
      if (may && !isSent) return get({ mediation: 'conditional', signal: listening.signal }).then(send);
    }).catch(() => {});
}
`;
