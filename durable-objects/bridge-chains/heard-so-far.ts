/**
 * Answers of several, by their place, as soon as they are enough, or all have come. Who is silent holds up nobody else.
 *
 * @param isEnough asked after each answer; undefined stands for who has not answered yet
 */
export function heardSoFar<Answer>(
  asked: readonly Promise<Answer>[],
  isEnough: (heard: readonly (Answer | undefined)[]) => boolean,
): Promise<readonly (Answer | undefined)[]> {
  const heard: (Answer | undefined)[] = asked.map(() => undefined);
  let missing = asked.length;
  return new Promise((resolve, reject) => {
    for (const [index, one] of asked.entries())
      one.then((answer) => {
        heard[index] = answer;
        missing -= 1;
        if (missing === 0 || isEnough(heard)) resolve([...heard]);
      }, reject);
  });
}
