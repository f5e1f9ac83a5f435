/** The detector must be this sure of a face that is looked at upright, as of one that it finds at first sight. */
const UPRIGHT_CONFIDENCE_MIN = 0.6;
/** From here on the detector does not err by less than a quarter turn. */
const CERTAIN = 0.98;
/**
 * A view that is turned must lead the one that stands by this much. On photographs of groups the lead of those that are turned is 0.03 and more, and
 * upright faces lead every quarter by as much.
 */
const LEAD_MIN = 0.01;
const EIGHTH = Math.PI / 4;
const QUARTERS = [2, 4, 6].map((eighths) => eighths * EIGHTH);
const BETWEEN = [1, 3, 5, 7].map((eighths) => eighths * EIGHTH);

/**
 * By how many radians clockwise a face is turned from how its landmarks have it: where the detector is surest of a face. Landmarks cannot say, for
 * their network puts them upright into whatever it is shown. 0 where they are right, null where the detector is sure nowhere.
 *
 * @param confidenceAt of a view that is turned by so much from how the landmarks have it
 * @param isLikelyUpright that one look is enough, where it makes the detector certain
 */
export async function surestTurn(
  confidenceAt: (angle: number) => Promise<number>,
  isLikelyUpright = false,
): Promise<number | null> {
  const standing = { angle: 0, confidence: await confidenceAt(0) };
  if (isLikelyUpright && standing.confidence >= CERTAIN) return 0;
  let surest = standing;
  const look = async (angles: readonly number[]) => {
    for (const angle of angles) {
      const confidence = await confidenceAt(angle);
      if (confidence > surest.confidence) surest = { angle, confidence };
    }
  };
  await look(QUARTERS);
  if (surest.confidence < CERTAIN) await look(BETWEEN);
  if (surest.confidence < standing.confidence + LEAD_MIN) surest = standing;
  return surest.confidence >= UPRIGHT_CONFIDENCE_MIN ? surest.angle : null;
}
