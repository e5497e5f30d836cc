// The search client of a page, for the server of instantsearch-server.mjs. The key is one that a page may have: it reads, and only what it shall.

/** What InstantSearch takes as `searchClient`. */
export function searchClientFor(url, { applicationId, apiKey }) {
  const headers = {
    "content-type": "application/json",
    "x-search-application-id": applicationId,
    "x-search-api-key": apiKey,
  };
  const ask = async (method, requests) => {
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ method, requests }) });
    const { msg, data } = await response.json();
    // InstantSearch shows its `error` event, and asks again at the next letter.
    if (!response.ok) throw new Error(msg);
    return data;
  };
  return {
    search: (requests) => ask("search", requests),
    searchForFacetValues: async (requests) => (await ask("searchForFacetValues", requests)).results,
    getRecommendations: (requests) => ask("getRecommendations", requests),
  };
}
