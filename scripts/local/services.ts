/** What `npm start` brings up beside the Worker. */
const SERVICES = ['inference', 'chains', 'grpc', 'fix'] as const;

export type Service = (typeof SERVICES)[number];

/**
 * Services that this start brings up: those that SERVICES names, separated by commas, or all. What is left out answers nobody: a frame with faces is refused for want of models, and nothing is
 * recorded on chain.
 *
 * @param stated the value of SERVICES; empty names none
 * @throws Error for a name that is none of them
 */
export function chosenServices(stated: string | undefined = process.env.SERVICES): ReadonlySet<Service> {
  if (stated === undefined) return new Set(SERVICES);
  const names = stated
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return new Set(names.map(knownService));
}

function knownService(name: string): Service {
  const service = SERVICES.find((each) => each === name);
  if (service === undefined) throw new Error(`SERVICES names "${name}", and there are ${SERVICES.join(', ')}.`);
  return service;
}
