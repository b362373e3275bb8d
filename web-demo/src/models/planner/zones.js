// SPDX-License-Identifier: MIT
// Knows the time zones of places: those whose name is in the zone's own ("Europe/Berlin"), and a
// table of other big cities and countries. Must not know: sentences.

/** Places whose zone has another name; several zones: which is meant has to be asked. */
/** @type {Record<string, string>} */
const OTHERS = {
  "America/New_York":
    "nyc, new york city, washington, washington dc, boston, miami, philadelphia, atlanta, est, edt, eastern",
  "America/Chicago": "houston, dallas, austin, new orleans, cst, central",
  "America/Denver": "salt lake city",
  "America/Los_Angeles":
    "la, san francisco, sf, seattle, san diego, las vegas, silicon valley, california, pst, pdt, pacific",
  "America/Toronto": "ottawa, montreal",
  "America/Sao_Paulo": "são paulo, sao paulo, rio, rio de janeiro, brasilia",
  "America/Argentina/Buenos_Aires": "argentina",
  "America/Mexico_City": "mexico city",
  "Europe/London":
    "uk, england, britain, great britain, the uk, united kingdom, scotland, wales, edinburgh, manchester",
  "Europe/Berlin": "germany, munich, münchen, hamburg, cologne, köln, frankfurt, cet",
  "Europe/Paris": "france, lyon, marseille",
  "Europe/Madrid": "spain, barcelona",
  "Europe/Rome": "italy, milan",
  "Europe/Zurich": "switzerland, geneva, zürich, basel, bern",
  "Europe/Vienna": "austria, wien",
  "Europe/Amsterdam": "netherlands, the netherlands, holland, rotterdam",
  "Europe/Brussels": "belgium",
  "Europe/Warsaw": "poland, krakow",
  "Europe/Prague": "czechia, czech republic",
  "Europe/Stockholm": "sweden",
  "Europe/Oslo": "norway",
  "Europe/Copenhagen": "denmark",
  "Europe/Helsinki": "finland",
  "Europe/Athens": "greece",
  "Europe/Dublin": "ireland",
  "Europe/Lisbon": "portugal, porto",
  "Europe/Kyiv": "ukraine, kyiv, kiev",
  "Europe/Istanbul": "turkey, türkiye, ankara",
  "Asia/Kolkata":
    "india, mumbai, bombay, delhi, new delhi, bangalore, bengaluru, chennai, kolkata, hyderabad, ist",
  "Asia/Shanghai": "china, beijing, peking, shenzhen",
  "Asia/Tokyo": "japan, osaka, kyoto",
  "Asia/Seoul": "korea, south korea, busan",
  "Asia/Hong_Kong": "hongkong",
  "Asia/Ho_Chi_Minh": "vietnam, saigon, hanoi, ho chi minh city",
  "Asia/Bangkok": "thailand",
  "Asia/Manila": "philippines, the philippines",
  "Asia/Dubai": "uae, emirates, abu dhabi",
  "Asia/Jerusalem": "israel, tel aviv",
  "Asia/Karachi": "pakistan, islamabad, lahore",
  "Asia/Kathmandu": "nepal",
  "Africa/Cairo": "egypt",
  "Africa/Lagos": "nigeria",
  "Africa/Nairobi": "kenya",
  "Africa/Johannesburg": "south africa, cape town",
  "Pacific/Auckland": "new zealand, wellington",
  UTC: "utc, gmt, zulu",
};
/** @type {Record<string, string[]>} */
const SEVERAL = {
  "America/New_York|America/Chicago|America/Los_Angeles": [
    "usa",
    "us",
    "america",
    "united states",
    "the us",
    "the usa",
    "states",
  ],
  "America/Toronto|America/Vancouver": ["canada"],
  "Australia/Sydney|Australia/Perth": ["australia"],
  "Europe/Moscow|Asia/Vladivostok": ["russia"],
  "America/Sao_Paulo|America/Manaus": ["brazil"],
  "America/Mexico_City|America/Tijuana": ["mexico"],
  "Asia/Jakarta|Asia/Makassar": ["indonesia"],
};

/** @type {Map<string, string[]> | undefined} */
let places;

/**
 * The zones that a place may be in; none: it is not known.
 * @param {string} place as a person writes it
 * @returns {string[]}
 */
export function zonesFor(place) {
  const exact = place.trim().replaceAll(" ", "_");
  if (exact.includes("/") && isZone(exact)) return [exact];
  const known = (places ??= readPlaces());
  const [first] = place.split(",");
  return known.get(plainName(place)) ?? known.get(plainName(first)) ?? [];
}

function readPlaces() {
  /** @type {Map<string, string[]>} */
  const map = new Map();
  for (const zone of Intl.supportedValuesOf("timeZone"))
    map.set(plainName(zone.slice(zone.lastIndexOf("/") + 1)), [zone]);
  for (const [zone, names] of Object.entries(OTHERS))
    for (const name of names.split(", ")) map.set(plainName(name), [zone]);
  for (const [zones, names] of Object.entries(SEVERAL))
    for (const name of names) map.set(name, zones.split("|"));
  return map;
}

/** @param {string} name */
function plainName(name) {
  return name.toLowerCase().replaceAll("_", " ").replace(/[.'-]/g, " ").replace(/\s+/g, " ").trim();
}

/** @param {string} zone */
function isZone(zone) {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
