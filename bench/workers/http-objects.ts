import { DurableObject } from 'cloudflare:workers';

interface EchoApi {
  echo(text: string): Promise<string>;
}

export class Echo extends DurableObject implements EchoApi {
  async echo(text: string): Promise<string> {
    return text;
  }
}

interface ObjectsEnv {
  readonly ECHO: DurableObjectNamespace;
}

/**
 * The calls that no order can do without, and nothing else: to an object of the caller's own, then with the body to the object of the
 * market.
 */
export default {
  async fetch(request: Request, env: ObjectsEnv): Promise<Response> {
    const echo = (name: string, text: string): Promise<string> =>
      (env.ECHO.getByName(name) as unknown as EchoApi).echo(text);
    const key = await echo(`key:${request.headers.get('x-api-key')}`, 'admit');
    const answer = await echo('book', await request.text());
    return new Response(answer, { headers: { 'content-type': 'application/json', 'x-request-id': key } });
  },
};
