/** Words by which `boundary.ts` tells claims, orders and reports apart. English words stand alone; Chinese ones have no borders. */

const ROLE =
  'worker|workers|implementer|implementers|verifier|verifiers|planner|planners|reviewer|tester|executor|builder|coder|developer|agent|agents|subagent|team|执行者|實作者|实现者|验证者|驗證者|计划者|規劃者|测试者|子代理|代理';
const CHIEF = 'controller|orchestrator|user|owner|operator|human|控制者|控制器|主控|编排者|用户|用戶|负责人|操作者';

/** Whoever is not the relay itself. */
const OTHERS = `${ROLE}|${CHIEF}`;

/** Work that somebody is told, or offers, to do; base form, `-ing` and past. */
const WORK =
  '(?:run|re-?run|fix|start|re-?start|implement|write|re-?write|review|stop|continue|finish|complete|deploy|merge|verify|test|update|begin|proceed|handle|retry|investigate|roll|patch|debug|build|rebuild|push|commit|install|clean|migrate|refactor|resolve|repair|close|change|add|remove|delete|move|prepare|execute|work|pick|resume|revert|rebase|release|make|create|do|finalize|kill|spawn)';
const WORK_PAST =
  '(?:ran|re-?ran|fixed|started|re-?started|implemented|wrote|rewrote|deployed|merged|handled|patched|rebuilt|pushed|committed|installed|migrated|refactored|resolved|repaired|reverted|rebased|killed|spawned|executed)';
const WORK_ZH =
  '(?:执行|執行|运行|運行|修复|修復|处理|處理|完成|开始|開始|启动|啟動|检查|檢查|重试|重試|重跑|重启|重啟|负责|負責|实现|實現|编写|編寫|部署|合并|合併|继续|繼續|停止|验证|驗證|测试|測試|更新|接手|解决|解決|回滚|提交|清理|推进)';

/** A claim that something is finished, in English. The first group is what was said. */
export const COMPLETION: readonly RegExp[] = [
  /\b((?:is|are|was|were|gets?|got|has been|have been|been|['’]s|['’]re|now|all|everything|fully|already|100\s?%|successfully)\s+(?:(?:all|now|also|already|fully|finally|successfully|completely|100\s?%)\s+)*(?:done|complete|completed|finished|resolved|fixed|solved|accepted|merged|shipped|delivered|closed|accomplished|implemented|deployed|wrapped up|passing|green|successful|over))\b/iu,
  /\b((?:has|have|had|['’]s|['’]ve|successfully|already|just|finally|we|I|they|it|he|she)\s+(?:(?:now|also|already|just|finally|successfully)\s+)*(?:completed|finished|resolved|fixed|solved|accepted|merged|shipped|delivered|closed|accomplished|implemented|deployed|wrapped up|passed|succeeded))\b/iu,
  new RegExp(
    `\\b((?:${OTHERS})\\s+(?:(?:now|also|already|just|finally|successfully)\\s+)*(?:completed|finished|resolved|fixed|solved|accepted|merged|shipped|delivered|closed|accomplished|implemented|deployed|wrapped up))\\b`,
    'iu',
  ),
  /\b((?:tests?|suite|build|checks?|CI|pipeline|job|task|step|work|migration|fix|everything|[A-Z]{1,10}[-_]?\d+)\s+(?:(?:now|all|also)\s+)*(?:pass(?:es|ed)?|succeed(?:s|ed)|completed|finished|succeeded|done|complete))\b/iu,
  /^\s*(?:and\s+|so\s+|all\s+)?((?:done|completed|finished|fixed|resolved|merged|shipped|delivered|mission accomplished))\b/iu,
  /(✅|\b(?:mission accomplished|good to go|nothing (?:is )?left(?: to do)?|no (?:open )?(?:work|tasks?|steps?) (?:is |are )?(?:left|remain(?:s|ing)?))\b)/iu,
];

/** The same in Chinese. */
export const COMPLETION_ZH: readonly RegExp[] = [
  /((?:已经?|都|全部|均|刚刚?|終於|终于|全)\s*(?:全部|都|圆满|成功|顺利)?\s*(?:完成|做完|搞定|结束|結束|修好|修复|修復|解决|解決|通过|通過|合并|合併|交付|上线|部署|处理完|實現|实现))/u,
  /((?:完成|做完|搞定|修好|修复|修復|解决|解決|通过|通過|合并|合併|交付|部署|处理完|跑完|实现)\s*(?:了|完毕|完畢|啦))/u,
  /((?:任务|任務|步骤|步驟|工作|测试|測試|修复|修復|迁移|遷移|验收|驗收|[A-Za-z]{1,10}[-_]?\d+)\s*(?:全部|均|都)?\s*(?:完成|通过|通過|成功)(?!度|率|时间|後|后|前|情况|標準|标准|条件|的))/u,
];

/** A claim that a recovery is over, in English. */
export const RECOVERY: readonly RegExp[] = [
  /\b(recovered|(?:is|are|was|were|been|has been|now|fully)\s+(?:now\s+|fully\s+)?(?:restored|stable|healthy|alive|unblocked|unstuck)|(?:back|returned) (?:to normal|online|up|on track|in service|to health)|(?:up|alive|healthy|running|working|responsive|fine|stable|works?|runs|responds|responding) again|no longer (?:stale|stuck|blocked|failing|down|unresponsive|in recovery|hanging)|(?:outage|incident|stale|staleness|warning|recovery|stall|lease_takeover) (?:is|was|has been) (?:over|resolved|gone|cleared|lifted)|(?:has|have|had|is|was|['’]s|['’]ve) (?:been )?(?:resumed|recovered|restored|renewed|cleared|lifted|stabili[sz]ed)|everything (?:is )?(?:works|fine|normal|ok|okay|back))\b/iu,
];

/** The same in Chinese. */
export const RECOVERY_ZH: readonly RegExp[] = [
  /(已经?恢复|已經?恢復|恢复正常|恢復正常|恢复了|恢復了|恢复完毕|恢复运行|恢复工作|重新上线|重新上線|一切正常|运行正常|運行正常|不再(?:阻塞|卡住|超时|超時|失联|過期|过期|报错)|(?:警告|告警|阻塞|异常|異常)(?:已|已经)?(?:解除|消除|消失))/u,
];

/** The relay tells somebody what to do, in English. Verbs of forwarding are no work. */
export const ASSIGNMENT: readonly RegExp[] = [
  new RegExp(
    `\\b((?:I|we|relay)(?:['’]ll| will| am|['’]m| have|['’]ve| hereby)?\\s+(?:now |just |hereby |also )?(?:re-?)?(?:assign|assigned|assigning|delegate|delegated|delegating|dispatch|dispatched|dispatching|order|ordered|ordering|instruct|instructed|instructing|task|tasked|appoint|appointed|hand(?:ed|ing)?(?: over| off)?|giv(?:e|ing)|gave|put|putting|tell|told|telling|ask|asked|asking|want|need|expect)\\b(?!\\s+(?:(?:the|our)\\s+)?(?:${CHIEF})\\b)(?!\\s+(?:for|whether|if|about|to)\\b))`,
    'iu',
  ),
  new RegExp(`\\b(please(?:\\s+now|\\s+also|\\s+just|\\s+go ahead and)?\\s+${WORK})\\b`, 'iu'),
  new RegExp(
    `\\b((?:@[\\w-]+|you|(?:the )?(?:${ROLE}))\\s+(?:should|must|shall|ought to|needs? to|has to|have to|is to|are to|will now|can now|may now)\\s+(?:now |immediately |next |please |also )?${WORK})\\b`,
    'iu',
  ),
  /\b((?:your|the verifier['’]s|the implementer['’]s|the worker['’]s|their) (?:next |new )?(?:task|job|step|assignment) (?:is|will be)(?= ))/iu,
  /\b((?:is|are|was|has been|have been|now|hereby|gets?) (?:now |hereby )?(?:re-?)?assigned(?: to)?)\b/iu,
  new RegExp(`\\b((?:let['’]?s|let us) (?:have|get|make|let) (?:the )?(?:${ROLE})\\b)`, 'iu'),
  new RegExp(`\\b((?:let|have|make|get) (?:the )?(?:${ROLE}) (?:to )?${WORK})\\b`, 'iu'),
  /\b(go ahead)\b/iu,
];

/** `verifier: run the tests`, `@planner start T4`; tried on the whole sentence. */
export const ADDRESSED = new RegExp(
  `(?:^|[:：])\\s*(@[\\w-]+[,:，：]?|(?:the )?(?:${ROLE})[,:，：])\\s*(?:now\\s+|please\\s+|you\\s+)?(?:please\\s+)?${WORK}\\b`,
  'iu',
);

/** The same in Chinese. */
export const ASSIGNMENT_ZH: readonly RegExp[] = [
  new RegExp(
    `((?:请|請|让|讓|命令|指示|安排|要求|通知|麻烦|叫)\\s*(?!控制|主控|编排|用户|用戶|负责人|操作者)[^，。；,;请請]{0,24}?(?:立即|马上|先|现在|重新|去|来|继续)?\\s*${WORK_ZH})`,
    'u',
  ),
  /((?:分配|指派|指定|派发|派發|转派|轉派|派|交)\s*(?:给|給|由)\s*\S{1,24})/u,
  new RegExp(
    `(由\\s*(?!控制|主控|编排|用户|用戶|负责人|操作者|我)[^，。；,;]{1,16}?(?:来|來)?\\s*(?:负责|負責|接手|${WORK_ZH}))`,
    'u',
  ),
  new RegExp(
    `((?:@[\\w-]+|你们?|妳|您|${ROLE})\\s*(?:应该|應該|应当|必须|必須|需要|得|须|要)\\s*(?:立即|马上|先|现在|重新|去|继续)?\\s*[^，。；,;]{0,10}?${WORK_ZH})`,
    'u',
  ),
  /((?:你|您|你们)的?(?:下一个|下一個|新的?|下一项)(?:任务|任務|步骤|步驟)是?)/u,
  new RegExp(`(@[\\w-]+\\s*[,，:：]?\\s*(?:请|現在|现在|立即|马上|先|重新|去)?\\s*${WORK_ZH})`, 'u'),
];

/** The relay does the work, or leads, itself, in English. */
export const TAKEOVER: readonly RegExp[] = [
  /\b((?:I|we|relay)(?:['’]ll|['’]m|['’]ve|['’]d| will| am| have| shall| can| must| should)?\s+(?:now |just |hereby |going to |also |simply )*(?:be )?(?:take|takes|taking|took|taken|assume|assumes|assuming|assumed|seize|seizing|seized|claim|claimed|claiming|grab|grabbed|grabbing|acquire|acquired|acquiring|hold|holding)\s+(?:(?:it|this|that|things|everything|[A-Z]{1,10}[-_]?\d+|the (?:task|work|job|step|session))\s+)?(?:over|the lease|the lead|control|charge|ownership|the lock|responsibility|the controller role|command|on (?:[A-Z]{1,10}[-_]?\d+|the (?:task|work|job))|the (?:task|job|work)|[A-Z]{1,10}[-_]?\d+))/iu,
  new RegExp(
    `\\b((?:I['’]ll|I will|we['’]ll|we will|I['’]m going to|I am going to|we are going to|I shall|let me|I['’]d better|I can|I must|I should|I have to)\\s+(?:now |just |simply |go ahead and |quickly |also |then )*${WORK})\\b`,
    'iu',
  ),
  new RegExp(`\\b((?:I|we)\\s+(?:have |['’]ve )?(?:now |just |already )*${WORK_PAST})\\b`, 'iu'),
  new RegExp(`\\b((?:I|we)['’]ve (?:now |just |already )*${WORK_PAST})\\b`, 'iu'),
  /\b((?:I|we)(?:['’]ll| will| have)? (?:now |just )?(?:go|went|gone) ahead)\b/iu,
  /\b((?:I am|I['’]m|I will act as|acting as|I act as) (?:now )?(?:the (?:new )?)?(?:acting )?(?:controller|lead|orchestrator|owner))\b/iu,
  /\b(relay (?:is )?(?:now )?(?:takes|taking|will take|took|has taken) (?:over|the lease|control|charge))\b/iu,
  /\b((?:this window|this session|this relay) (?:is )?(?:now )?(?:takes|taking|will take|took|has taken) (?:over|the lease|control|charge))\b/iu,
];

/** The same in Chinese. */
export const TAKEOVER_ZH: readonly RegExp[] = [
  new RegExp(
    `((?:由|让|讓)?(?:我们?|我們|本窗口|中继|中繼)\\s*(?:来|來|将|將|会|會|已经?|已經?|现在|現在|就|先|要|马上|立即|直接|可以|这就|開始|开始)*\\s*(?:接管|接手|代为|代為|抢占|获取租约|續租|续租|承担|承擔|${WORK_ZH}))`,
    'u',
  ),
  /((?:我|中继|中繼|本窗口)[^，。；,;]{0,8}(?:拿下|抢到|获得|取得|持有|接管)(?:了)?\s*(?:租约|租約|控制权|控制權|锁|主控))/u,
];

/** Somebody else said it. `I` and the ledger are nobody else. */
const SAID =
  '(?:says?|said|saying|reports|reported|reporting|claims|claimed|claiming|writes|wrote|states|stated|announces?|announced|believes?|thinks?|insists?|insisted|asserts?|asserted|tells?|told|notes|noted|answers|answered|repl(?:y|ies|ied)|confirms?|confirmed|argues?|mentions?|mentioned|asks?|asked|wants?|wanted|orders|ordered|instructs|instructed|requests|requested|assigns|assigned|directs|directed|decides?|decided|marks|marked)';

/** `the worker, in its last message, insists that …`: the name stands in an earlier clause. */
export const CONTINUED = new RegExp(
  `^\\s*(?:(?:now|also|then|again)\\s+)?${SAID}\\b\\s+(?:that|the|it|to|us)\\b`,
  'iu',
);

/** Attribution in English; the first group is who said it. */
export const ATTRIBUTION: readonly RegExp[] = [
  new RegExp(
    `([\\p{L}\\p{N}@_'’-]+)(?:\\s+(?:now|also|just|still|again|only|itself|has|have|had|is|was))*\\s+${SAID}\\b`,
    'iu',
  ),
  /\b(?:according to|in the words of|as (?:said|reported|claimed|stated) by|quoting|quote from|per)\s+(?:the\s+|its\s+|our\s+)?([\p{L}\p{N}@_-]+)/iu,
  /^\s*(?:I\s+)?(?:forward(?:ed|ing)?|fwd|relay(?:ed|ing)?|quot(?:e|ed|ing)|copied|pass(?:ed|ing) on)\b[^:：]{0,60}?(?:from|of|by)\s+(?:the\s+)?([\p{L}\p{N}@_-]+)/iu,
  /([\p{L}\p{N}_-]+)['’]s\s+(?:\w+\s+){0,2}(?:claim|report|message|reply|answer|statement|words|request|order|instruction)s?\b/iu,
];

/** The same in Chinese. */
export const ATTRIBUTION_ZH: readonly RegExp[] = [
  /([\p{L}\p{N}@_-]{1,20}?)\s*(?:刚刚?|又|也|仍|还|曾)?\s*(?:说|說|表示|声称|聲稱|宣称|宣稱|报告|報告|汇报|匯報|称|稱|认为|認為|写道|回复|回復|答复|提到|指出|要求|命令|指示|决定|決定|希望|安排)/u,
  /(?:据|根据|根據|按照|引用|转发|轉發|转述|轉述|来自|來自)\s*([\p{L}\p{N}@_-]{1,20})/u,
];

/** Subjects of a report that do not make it somebody else's. */
export const NOBODY_ELSE =
  /^(?:I|we|me|relay|ledger|nobody|none|nothing|one|anyone|hereby|and|that|who|status|it|also|log|台账|台帳|账本|帳本|日志|记录|状态|我|我们|我們|本人|本窗口|中继|中繼)$|^(?:我|我们|台账|账本|中继)/iu;

/** A speaker's name before a colon: what follows is that speaker's. */
export const SPEAKER = new RegExp(`^\\s*(?:\\[?(?:the )?(?:${OTHERS})\\]?)\\s*(?:\\([^)]{0,40}\\)\\s*)?[:：]`, 'iu');

/** The same for orders: workers are addressed so, chiefs speak. */
export const CHIEF_SPEAKER = new RegExp(
  `^\\s*(?:\\[?(?:the )?(?:${CHIEF})\\]?)\\s*(?:\\([^)]{0,40}\\)\\s*)?[:：]`,
  'iu',
);

/** What follows is somebody's words, whoever they are. */
export const FORWARDED =
  /^\s*(?:(?:the\s+)?(?:latest |original |controller['’]?s? |user['’]?s? )*(?:instruction|order|request|message|quote|route|goal|constraints?)|forward(?:ed|ing)?(?: message)?|fwd|quote|转发|轉發|转述|轉述|原文|引用|最新指令|用户指令|控制者指令|指令|目标|约束|路线)\s*[:：]/iu;

export const NEGATION =
  /\b(?:not|n['’]t|cannot|can['’]t|never|no|none|neither|nor|nobody|nothing|without|hardly|barely|yet to|far from|refus(?:e|es|ed)|declin(?:e|es|ed)|fail(?:s|ed)? to|instead of|rather than|in?complete|unfinished|unresolved|unmerged|avoid)\b|n['’]t\b/iu;
export const NEGATION_ZH =
  /未|没有|沒有|没(?!问题)|沒|尚|并非|並非|不是|不算|不能|不可|不会|不會|不要|不得|不应|不再(?=接)|不(?=分配|指派|接管|接手|代)|从不|從不|从未|從未|别|勿|无法|無法|无权|無權|拒绝|拒絕|禁止/u;

/** What is not so yet. Only for claims: an announced takeover is one. */
export const NOT_YET =
  /\b(?:will|['’]ll|would|shall|should|must|needs?|has to|have to|had to|going to|gonna|once|when|whenever|until|till|before|unless|if|whether|as soon as|in case|assuming|provided|expect(?:s|ed)?|estimated?|plan(?:s|ned)?|aims?|hop(?:e|es|ing)|may|might|could|can|to be|almost|nearly|about to|partially|partly|half|soon|tomorrow|eta|waiting|awaiting|pending|criteria|definition of)\b/iu;
export const NOT_YET_ZH =
  /将(?!军)|將|会(?!话|议|員|员)|會(?!話|議)|如果|若|假如|一旦|等待|等到?|待|之后再|以后再|才能|才算|直到|预计|預計|计划(?!者)|計劃|需要|应该|應該|应当|可能|也许|也許|即将|即將|快要|争取|爭取|希望|是否|之前/u;

/** `80%` and `3 of 5`, not `100%` and `5 of 5`. */
export const PARTIAL =
  /(?<![\d.])\d{1,2}(?:\.\d+)?\s?[%％]|\b(\d+)\s?(?:(?:out )?of|\/)\s?(?!\1\b)\d+\b|\b(?:one|two|three|four|five|six|seven|eight|nine) (?:out )?of\b/iu;

/** A condition on everything that follows in the sentence. */
export const CONDITION =
  /^\s*(?:and |but |so |then )?(?:if|unless|once|as soon as|when|whenever|until|assuming|provided|in case)\b|^\s*(?:如果|若|假如|一旦|等|当|當|只有|除非)/iu;
