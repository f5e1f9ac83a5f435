const ANSWER = JSON.stringify({ order_id: '019b76da-a800-7000-8000-000000000000', status: 'open' });

/** Answers every request with the same JSON. */
export default {
  fetch(): Response {
    return new Response(ANSWER, { headers: { 'content-type': 'application/json' } });
  },
};
