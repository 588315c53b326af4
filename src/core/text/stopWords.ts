/** Words of a task that say nothing about where to look: function words, and what reports are made of (RANKING §1.2). */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and any are as at also able about after again all am another around be been because before being below between
  both but by can cannot could did do does doing don done during each either else ever every few for from further get
  gets getting give given go goes going got had has have having he her here his how however if in into is it its itself
  just know let like ll made make makes many may maybe me might more most much must my need needs no nor not now of off
  on once one only or other our out over own per please really same see seem seems should since so some something still
  such sure than thank thanks that the their them then there these they thing things think this those though through
  thus to too try trying under until up upon us use used using ve very via want wants was way we well were what when
  where whether which while who why will with within without won would yes yet you your
  etc eg ie hi hello`.split(/\s+/u),
);
