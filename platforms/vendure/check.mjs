// A shop of Vendure in memory with the plugin of docs/vendure.md: what is made, changed and deleted is found, or no longer, by the shop API.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const require = createRequire(import.meta.url);
const isReader = process.argv[2] === "read";
const folder = mkdtempSync(join(tmpdir(), "tandem-vendure-"));
if (!isReader) {
  execFileSync(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", "."], { stdio: "inherit" });
  process.env.SEARCH_DATA = join(folder, "search-data");
}
process.env.VENDURE_DISABLE_TELEMETRY = "true";
const core = require("@vendure/core");
const { TandemSearchPlugin } = require("./dist/tandem-search.plugin.js");

/** A server with a database of its own in memory. */
const start = (plugins) =>
  core.bootstrap({
    apiOptions: { port: 0, hostname: "127.0.0.1" },
    authOptions: {
      superadminCredentials: { identifier: "admin", password: "admin" },
      cookieOptions: { secret: "of the check" },
    },
    dbConnectionOptions: { type: "sqljs", synchronize: true },
    paymentOptions: { paymentMethodHandlers: [] },
    logger: new core.DefaultLogger({ level: core.LogLevel.Error }),
    plugins,
  });

const ITEM = `sku productId productVariantId productName productVariantName slug currencyCode facetValueIds
  price { ... on SinglePrice { value } ... on PriceRange { min max } } priceWithTax { ... on SinglePrice { value } ... on PriceRange { min max } }`;

/** What the shop API answers; rejects where it has errors. */
async function search(app, input, channel) {
  const response = await fetch(`${await app.getUrl()}/shop-api`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(channel && { "vendure-token": channel }) },
    body: JSON.stringify({
      query: `query ($input: SearchInput!) { search(input: $input) {
        totalItems items { ${ITEM} } facetValues { count facetValue { name facet { name } } } collections { count collection { name } } } }`,
      variables: { input },
    }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(errors.map(({ message }) => message).join());
  return data.search;
}

/** Asks until the answer is as expected, since jobs take a moment; at the end it has to be. */
async function eventually(ask, expected) {
  for (const until = Date.now() + 10_000; Date.now() < until; await wait(100)) {
    try {
      return assert.deepEqual(await ask(), expected);
    } catch {}
  }
  assert.deepEqual(await ask(), expected);
}

if (isReader) {
  const { items } = await search(await start([TandemSearchPlugin]), { term: "bench" });
  process.stdout.write(JSON.stringify(items.map(({ sku }) => sku)));
  process.exit();
}

const app = await start([TandemSearchPlugin, core.DefaultSearchPlugin, core.DefaultSchedulerPlugin.init({})]);
await app.get(core.JobQueueService).start();
const skus = (input, channel) => search(app, input, channel).then(({ items }) => items.map(({ sku }) => sku));

// A shop with one tax of 20 %, two facets, of which one is private, and a second channel.
const user = await app
  .get(core.TransactionalConnection)
  .rawConnection.getRepository(core.User)
  .findOneOrFail({
    where: { identifier: "admin" },
    relations: { roles: { channels: true } },
  });
const admin = await app.get(core.RequestContextService).create({ apiType: "admin", user });
const zone = await app.get(core.ZoneService).create(admin, { name: "Europe" });
const ofChannel = { defaultTaxZoneId: zone.id, defaultShippingZoneId: zone.id, pricesIncludeTax: false };
await app.get(core.ChannelService).update(admin, { id: admin.channelId, ...ofChannel });
const outlet = await app.get(core.ChannelService).create(admin, {
  ...{ ...ofChannel, code: "outlet", token: "outlet", defaultLanguageCode: "en", defaultCurrencyCode: "USD" },
});
const taxes = await app.get(core.TaxCategoryService).create(admin, { name: "All" });
await app
  .get(core.TaxRateService)
  .create(admin, { ...{ name: "20 %", enabled: true, value: 20 }, categoryId: taxes.id, zoneId: zone.id });
const shop = await app.get(core.RequestContextService).create({ apiType: "admin", user });
const named = (name) => [{ languageCode: "en", name }];
const facet = (code, isPrivate) =>
  app.get(core.FacetService).create(shop, { code, isPrivate, translations: named(code) });
const value = (of, code) =>
  app.get(core.FacetValueService).create(shop, of, { facetId: of.id, code, translations: named(code) });
const brand = await facet("brand", false);
const [volt, forge] = [await value(brand, "Volt"), await value(brand, "Forge")];
const margin = await value(await facet("margin", true), "Clearance");

const products = app.get(core.ProductService);
const variants = app.get(core.ProductVariantService);
/** A product with a variant for each price, or with none. */
async function product(name, values, prices, description = "") {
  const { id } = await products.create(shop, {
    facetValueIds: values.map((one) => one.id),
    translations: [{ languageCode: "en", name, slug: name.toLowerCase().replaceAll(" ", "-"), description }],
  });
  const group = await app
    .get(core.ProductOptionGroupService)
    .create(shop, { code: `${name}-size`, translations: named("size") });
  await products.addOptionGroupToProduct(shop, id, group.id);
  const made = [];
  for (const [i, price] of prices.entries()) {
    const option = await app
      .get(core.ProductOptionService)
      .create(shop, group, { productOptionGroupId: group.id, code: `${i}`, translations: named(`size ${i}`) });
    const input = {
      productId: id,
      sku: `${name}-${i}`,
      price,
      taxCategoryId: taxes.id,
      optionIds: [option.id],
      translations: named(`${name} size ${i}`),
    };
    made.push(...(await variants.create(shop, [input])));
  }
  return { id, variants: made };
}
const drill = await product("Cordless drill", [volt, margin], [9900, 12900], "<p>For wood and <b>masonry</b></p>");
const sofa = await product("Corner sofa", [forge], [49900]);
await product("Without variants", [forge], []);

await eventually(async () => existsSync(process.env.SEARCH_DATA), true);

// Made: found by words, misspelt, by meaning and by facet, with prices in minor units; groups, counts.
await eventually(() => skus({ term: "drill" }), ["Cordless drill-0", "Cordless drill-1"]);
await eventually(() => skus({ term: "couch" }), ["Corner sofa-0"]);
assert.deepEqual(await skus({ term: "masonry" }), ["Cordless drill-0", "Cordless drill-1"]);
assert.deepEqual(await skus({ term: "cordles dril size 1" }).then(([first]) => first), "Cordless drill-1");
assert.deepEqual(await skus({ term: "clearance" }), []); // private
const grouped = await search(app, { groupByProduct: true, sort: { price: "DESC" } });
assert.deepEqual(
  [grouped.totalItems, grouped.items.map(({ productName }) => productName)],
  [2, ["Corner sofa", "Cordless drill"]],
);
assert.deepEqual(
  [grouped.items[1].price, grouped.items[1].priceWithTax],
  [
    { min: 9900, max: 12900 },
    { min: 11880, max: 15480 },
  ],
);
const counts = ({ facetValues }) =>
  facetValues.map(({ count, facetValue: { name, facet } }) => `${facet.name} ${name} ${count}`).sort();
assert.deepEqual(counts(grouped), ["brand Forge 1", "brand Volt 1"]);
const chosen = await search(app, { term: "", groupByProduct: true, facetValueFilters: [{ or: [volt.id] }] });
assert.deepEqual(
  [chosen.items.map(({ productName }) => productName), counts(chosen)],
  [["Cordless drill"], ["brand Forge 1", "brand Volt 1"]],
);
assert.deepEqual((await search(app, { take: 0 })).totalItems, 3);
assert.deepEqual(await skus({ collectionSlug: "none-such" }), []);
await assert.rejects(search(app, { skip: -1 }), /offset is -1/);

// Changed: a name, a price, what is enabled; 300 events in a row.
await products.update(shop, { id: sofa.id, translations: [{ languageCode: "en", name: "Garden bench" }] });
await variants.update(shop, [{ id: sofa.variants[0].id, price: 19900 }]);
await eventually(
  () => search(app, { term: "bench" }).then(({ items }) => items.map(({ price }) => price)),
  [{ value: 19900 }],
);
await variants.update(shop, [{ id: drill.variants[0].id, enabled: false }]);
await eventually(() => skus({ term: "drill" }), ["Cordless drill-1"]);
for (let i = 0; i < 300; i++) await products.update(shop, { id: drill.id, enabled: i % 2 === 0 });
await eventually(() => skus({ term: "drill" }), []);
await products.update(shop, { id: drill.id, enabled: true });
await eventually(() => skus({ term: "drill" }), ["Cordless drill-1"]);

// Another channel has its own products and prices.
assert.deepEqual(await skus({ term: "" }, "outlet"), []);
await products.assignProductsToChannel(shop, { productIds: [sofa.id], channelId: outlet.id, priceFactor: 0.5 });
await eventually(
  () => search(app, { term: "bench" }, "outlet").then(({ items }) => items.map(({ price }) => price)),
  [{ value: 9950 }],
);
await products.removeProductsFromChannel(shop, { productIds: [sofa.id], channelId: outlet.id });
await eventually(() => skus({ term: "" }, "outlet"), []);

// A collection.
const collection = await app.get(core.CollectionService).create(shop, {
  filters: [
    {
      code: "facet-value-filter",
      arguments: [
        { name: "facetValueIds", value: `["${volt.id}"]` },
        { name: "containsAny", value: "false" },
      ],
    },
  ],
  translations: [{ languageCode: "en", name: "Tools", slug: "tools", description: "" }],
});
await eventually(() => skus({ collectionSlug: "tools" }), ["Cordless drill-1"]);
const inTools = await search(app, { collectionId: collection.id });
assert.deepEqual(inTools.collections, [{ count: 1, collection: { name: "Tools" } }]);

// A facet value gets another name, which no event of products tells; shoppers find the rest while all is read anew.
await app.get(core.FacetValueService).update(shop, { id: volt.id, translations: named("Ampere") });
const nightly = app.get(core.ConfigService).schedulerOptions.tasks.find(({ id }) => id === "rebuild-tandem-search");
await nightly.execute(new core.Injector(app));
await eventually(() => skus({ term: "ampere" }), ["Cordless drill-1"]);

// Another server, which runs no jobs and has an empty database, reads what the first one writes.
const { stdout } = await promisify(execFile)(process.execPath, ["check.mjs", "read"], { env: process.env });
assert.deepEqual(JSON.parse(stdout), ["Corner sofa-0"]);

// Deleted.
await products.softDelete(shop, sofa.id);
await eventually(() => skus({ term: "bench" }), []);
await variants.softDelete(shop, drill.variants[1].id);
await eventually(() => skus({ term: "" }), []);
await app.close();
rmSync(folder, { recursive: true });
