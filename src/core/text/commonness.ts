/**
 * How common words are in what is written about software, whatever it is about: bits of surprise that a word carries. A
 * word of n bits is in one of 2ⁿ passages of 2,000 characters. Measured in November 2026 on README, instruction and note
 * files of 533 npm packages and public repositories, of which a repository counts as much as five packages (Chinese: of
 * 75); words that fewer than four of them have are left out, they are names. A word that general language has more
 * often, by its rank r in the vocabulary of o200k_base, has log₂ r − 8.5 bits, but at most two fewer than measured.
 */

/** Stems of words (`stemOf`), by their bits, rounded down. */
const STEMS: Readonly<Record<number, string>> = {
  2: `
act ad add ai api app bas bash blob build call chang check cod com content creat current data default doc document error exampl featur fil first funct gener git github
html http id implement import includ install js json key list local log main md nam new nod npm open opt org packag path project provid py python read request requir
result return run script serv set sourc src start stat status str support test text tim tool tru typ ui updat url user valu vers web work`,
  3: `
abov access account across actual address against agent air alg allow already alt alway amount android ann ans applic area arg arr array articl ask ass assert async auf
aus aut auth auto autom availabl await back bad bar becom bed begin behavi bei ben best bet bien big block blog body bon bool boolean box branch break brows bug bus
business button cal car card cas catch cd cert char che choos ci class clean clear cli click client clos color comm command comment commit common community como complet
component con cond conf config configur connect consol const cont contact contain context continu control cook copy cor correct cost count cover custom dan dar dat day
db de deb debug dec def deg dem dep dependency descript design detail dev develop development die different dig dir direct directory display dist dit div dom door dos
doubl down download due easy edit effect ein ele element email emp en enabl enc end eng enjoy ens ent enter entr env environment err esc est even event everyth exc
execut exist expect experienc export extend extra fac fact fail fals fast favor feel field film final find fit fix float focus follow font food form format found fre
fri friend full futur gam global good govern group hal hand handl happen hard hat head health heart height help high him hist history hold hom host hour href hub human
imag img important inc ind index individual inf info inform ing initial input ins inst instanc instead int integr inter intern inv invest io iss issu item java job keep
kind known label land larg last later lead learn least left leg length less level lib library licens light limit lin link liv load loc locat long look low mach mag
major mal manag map mar mark market mas mass mat match material max mean med media memb men mes messag method mil million min minut mis miss mit mod model modul month
mov neg net network never next nicht nie non nos nov null numb object oder offer old operat optional order original os output pag param pars part pass past pat pattern
peopl perform personal pet pick pie plac plan play plus png pod point port posit poss possibl post power pre present pric print privat pro problem process product
program prompt property protect public push put quality query quest quick rang re readm reason rec record red ref referenc relat releas rem remov ren rep report
represent res research respons rest ret review right rol rout row rul sav say sch schema school search season second security seg select self sen send ser servic sess
setup sex sh shar she short show sid sign simpl sind singl sit siz small sobr softwar son sort spac spec special specific static stay step stop stor story stream
structur student styl sub success summary sup svg sym system tabl tak target task teach team tem ten ter term thre throw titl today token top total tout track tran tre
treat ts turn two uma understand une uniqu usag util valid van var ver video view visit void vol von wait war wat watch water websit week werden width wie win window
word workflow world writ www year young`,
  4: `
aa ab aber ac accept activ activity adapt addit additional adjust admin adult advic ae affect afford age album ale alert align along amaz among analysis announc answ
anyth appear apply approach appropri apr architectur argument arm aspect assess asset assist associ attack attempt attract aud audio automatical aux avoid award away ba
baby backend background badg bag balanc ball ban band basic batch bc bd beach beautiful becam began behind believ bem benefit bez bin birth bis bit black blood blu
board book bord bot bottom boy brand brought budget buf built bundl buy byt ca cach cada callback cam camera campaign cap capital care carry cart casa cash caso cast
cat category caus cb cc ce cel cell cent certain ces cett cf cha chain channel charact chat child children choic city claim claud clon club coach collect column comfort
comfortabl company compar compil compl complete complex comput concept concern condit conduct confirm conn consid consider consist constant construct contract contribut
conv convers convert cooky correspond cos country cours court cov coverag credit crit cross css cultur cup cut da dag daily damag dark dashboard databas dc dd dead deal
death decid decis deep defin definite delet delivery depend deploy deployment detect determin devic df dia didn diet diff differenc digital disabl discount discov
discuss distanc distribut doesn dog dont draw dream dress driv drop drug dry dump durant durch ea early easi eat ec echo economic ed edg educat ef effort einen electric
elif employe empty encod endpoint energy engin enough ensur entir entity entry equipment era es especial essay essential esta exact exam excellent except exit exp
expand expert explicit express ext extens external extract eye fa failur fall fallback fami fan far fat fb feed feet felt fest fetch ff fig fight figur filenam fill
filt fin financial finish fir firm flag flex flow fold foot forc foreach forma fort forward four fra fram framework fresh front frontend fully fun func fund gat gav gem
gen general gest gift glass goal god gold googl government grand graph great green grid ground grow guid gut hair half han happy harm hash hear heard heat held hier
himself hit hook hop hot hotel hous icon ide idea identify ill immediate impact improv incl incom increas init insert insid insuranc intent interest interfac internal
international internet invalid investment involv isn iter javascript join jour kid kitchen knew knowledg lab labor lag lang languag largest lat latest launch layer
layout leav len lie like lint linux listen llm localhost lock logic login loop los loss lot lov lower mac machin mail maintain management manual margin markdown mask
mast maximum mcp measur medical medium meet mel memory ment menu merg met metal micro mid migrat minimum mix mobil modern modify moment monit motor mount ms msg multi
multipl music myself nag namespac nan nas nat national nativ natur natural nav navig necessary nic nodej nombr norm normal noth notic npmj num nur obj occur offic
official offset often oil ok onlin ons opp opportunity optimiz ord organiz otherwis outsid overall overrid owner pack pad paid pain paint pair pan panel paper para
paramet parent particular partn party password patient pay payment pelo pen percent perfect performanc period perm permiss person phas phon photo physical pictur piec
pil pin pip pipelin placehold plant platform plugin policy political pool pop popul pos positiv potential pow practic pref president press pretty prev prevent previous
primary principal printf prior prob probab produc professional profil progress prop protocol prov proxy publish pull purpos px quant que rac rad rais random rank rat
rath raw raz reach react ready receiv recent recommend reduc refer reg regard regist regular relax remain rememb rend render rent replac repo repository req requirement
reserv resolv resourc resp respect respond rev risk road rob rock roll room root rot round runtim saf safety sal sampl san sat saw scal scan scen scienc scop scor
screen sea sec secret sect sed seek sel sens sent separ serial serious sery ses seu several shap shield ship shoot shown sig significant similar simp situat six sizeof
skill skin skip slot slow smart social soft sold solid solo solut song sound spe specifi spent spirit sport sql stack staff stag standard star statement std storag
strategy stress strong struct study sua subject submit successful suggest sum sun super surfac switch symbol sync tab tag tan tech technology tel tell templ tempo tend
themselv third thought thread tid til timeout tip tipo tmp todo togeth told tom topic touch tour tous toward town tra trad traditional train transf transform transport
treatment truly trust tsx txt typescript undefin unit unsign upload useful usernam usual utility val variabl variety various vast vec vect verb verifi verific verify
vert vez vie virtual vis visual voc volum vs walk wall warm warn warrant weekend weight went whit whol wid wif wind wir wond wonderful workspac worth wrap written wrong
yml yourself zero`,
  5: `
abandon ability abs absolut absolute abstract abus academic acc acceptanc accessibl accident accord accur accuracy ace achiev acid actor ada adj administr adopt ads
advanc advantag adventur advertis af affili affordabl afternoon agency ago agre agreement ahead aid aim aka algo algorithm ali alloc almost alon alpha als alter
alternativ although ana analyz ancient angl animal animat annual ano ant anti anxiety anyon anyway anywher apart apena apis appeal appearanc append appli applicabl
appointment appreci approv approval approximate arch architect archiv aren aria arrangement arriv art artifact artist assemb assessment assign assistanc assistant assum
ast atmospher atr attach attachment attend attent attr attractiv attribut audienc audit aug authentic authority authoriz automatic autor availability avant avatar
averag awar awareness awesom axio axis bak bang bank basical basis bat battery battl bay bb bear beat beauty bedroom beim belief belong bench benchmark beta beyond bf
bia bid biggest bill billion binary bind bio bird birthday biz blank bold bom bomb bond bonus boost boot born bought bound boundary bow br brain bread breakfast breath
bridg brief bright bring broad broadcast broken brown btn buff burn busy cabl cad caf cak calcul calendar campo campus cancel candid cant canva capability capabl
capacity captur carbon careful carri casual catalog caught cdn celebr centr central century certific cet chair challeng chanc changelog chapt characteristic charg chart
cheap checklist chemical cher chi chicken chief chip chos chosen chrom chunk circl circuit circumstanc citizen classic cleanup climat clinical clip clock cloud
cloudflar clust cmd cn co coast coc codebas coffe col cold collabor colon colour combat combin commercial commiss commitment communic comp compact comparison compat
compatibility compatibl competit competitiv complaint complement complianc compos comprehensiv concert concret conferenc confidenc confident conflict conform consent
consistent constraint consult consum contemporary contest contrast contrib controll convenient convent cooki cool coordin copyright corn corpor couldn coupl coverall
cpp cpu craft crash crazy cream creativ credential crew crisis criteria critic critical cron crowd crucial csv ctx cultural curl currency curs cycl danc dang dangerous
das dataset datetim daught debat debt decad deck declar decod dedic defens definit degre del delay delight deliv deliver delta demand demo den dentro department depth
der deriv des desc describ desir desk desktop despit dest destin destroy diabet dialog dic dict dictionary died dif difficult digit dim dimens din discover discovery
disk dispatch distinct district divers divis django dm dock doct dois doit dok dollar domain dot doubt draft drag duplic durat dust duty dynamic earli earn earth eas eb
economy educational ee effectiv effective efficiency efficient egg eight electrical electronic elem eligibl embed emergency emit emotional encor encount encourag enemy
enforc engag engagement engineer enhanc enterpris entertain entertainment entire enum environ environmental episod equal equip escap eslint esp espa establish estado
estar estat estim et eta eth evalu eventual everyday everyon evidenc excel excess exchang excit exclud exclusiv exe executiv exercis expensiv experiment expertis
explain explor expos exposur extensiv extent extern extreme fab fabric facility factory fair faith fak fal familiar famous fantastic farm fashion fault favorit favour
fc fd fe fear feb federal fee feedback fell fellow festival fib financ fish fitness fiv flash flat flexibl flight floor fly fmt fn folk fonct fond foo forecast foreign
forest forev forget formal formula forth forum fourth fragment freedom frequency frequent fruit fs fuel functional functionality fundamental funny furnitur gain gambl
gap garden gas gath gear gemini gend generic genr gh glad glob golf gon goto gpt grab grad gradu grant graphic grass greatest grew grown growth guarante guard guess
guest guidanc guidelin guitar guy gym habit hall hang hardwar haven healthcar healthy heavy hell helpful hero hid hidden highest highlight hindi hip hir historical hol
holiday honest honor hors household hug hundr hurt hyper ice ideal identifi identity ids idx ignor imagin immedi impl impli importanc impossibl impressiv improvement
inch incident incredibl inde independent indic industrial industry influenc infrastructur ingredient ini initializ inject injury ink inlin inner innov innovativ inspect
inspir instanceof instant institut instruct instrument integ intelligenc intend interact interi interpret interval interview introduc introduct invent inventory
investig invok ip iron island isolat ist iterat jan jest joint journal journey joy jsonl jul jump jun justify kein kept kernel keyboard keyword kick kill king kit kol
lack lan laptop law lay leadership led legal legend les lesson lever lif lifecycl lifestyl lift lign liquid lis lista lit littl loan logo lon lost lowest luck lugar
lunch luxury magazin magic magnet maintenanc mais maj majority man manifest manufactur marca march massiv math matrix matt mb meal meant meat melh mem membership meno
mental mention mer mesh mess meta metadata metric mic middl middlewar milk mind mini minimal minor mm mock modal modifi modo mon money monitor morn mot mous movement
movi movy mp muscl musical muss nada near nearby negativ neighb neighborhood nest neu newly night nil nin nois normaliz north notific nova novel nuclear nullptr
numerous numpy nunca objectiv objetivo observ obtain obvious occas oct odd ohn older ond ongo onto opinion orchestr organic orient orig origin ourselv outdo outstand
overview pac packet par park partial particip participant partir partnership pas patch paus payload pdf pem pend percentag perf perhap permanent permet permit persist
persona personnel perspectiv pic pill pink pitch pkg plain planet plastic plat plenty plot podcast pois politic poll poly pom poor popular por portfolio possib
possibility postgr pour pov powerful pr practical predict prefer preferenc prefix premi premium prepar presenc preserv pressur preview prim primari priority privacy
problema proc proce procedur prod profit programm proj projet promis promot proof proper propos protein prototyp proven pub pump punt pur purchas pytest qualifi
quantity quart queu qui quiet quit quot radio radius rail rain ram ran rand rapid rar ratio ray readabl readon reality realiz reasonabl recip recogniz recov recovery
recruit rect redirect redis redistribut reduct reflect refresh refund region regional register registr registry regul reject rel relationship relativ relative relevant
reliabl relief religion reload remark remind remot renam renew rental repair repeat replacement reply repr reput reset residential resist resistanc resolut resort
responsibility responsibl restart restaurant resum retail retro retry reveal revenu revers reward rich rid rien rig ring ris rit river robot rod ros rough routin rs
rust sad sag said salary salt satisfi schedul schem scientific screenshot scroll sdk seat secondary secur seed seen segment sell sem semantic seni sentenc seo sequenc
sera serializ seven sever sexual sha shadow shall sheet shell shift sho shock shop shot shut sight signal signatur silent silv sim simul sin sindresorhus sink sist
sistema sky sleep slight smil smooth snap snapshot snow society socket sol solar solv someon sometim somewher soon sorry soul sous south span speak specialist
specifical specify specy speech spend spin split spot spr spread sqlit squar ssh stabl stand statistic stdout steel stem stick stock ston storm straight street strength
stretch strict strip strok studio stuff stun subscript substantial succe sudden suf sufficient sugar suit suitabl superi supplement suppos surgery surpris surround
survey sustain swe sweet swift symptom syntax sys tablet tail tailwind taken talent talk tall tank tap tar tast taught tax technical techniqu temp temperatur temporary
termin terminal textur th theory therapy therefor thick thin thorough thousand threat threshold throughout thu ticket tie tier tight timer timestamp tiny toda toggl tok
tomorrow ton took torch tort tough toujour trac traffic trail trait transact transit transl transmiss travel travis trend tri trial trig trim trip troubl truck truth
twic typeof typical unabl und uniform union university unknown unless upcom upgrad upper urban uri usa usar uso utf ux vacat vai valuabl variant vary vehicl vel vercel
vertical vet vic violenc visibl vit vital voic vot vue wak wal wallet warranty wash wasn wast wav weak wealth wear weath welcom west whatev wheel whenev whom whos wide
widget wiki wild wint wish withdraw witness worldwid worry wors worst wouldn wrot wurden xml yaml yang yellow yesterday yield zap zip zon`,
  6: `
abc abort abrir absenc absorb accent acceptabl accessibility accommod accompany accomplish accordanc according accurate achievement acknowledg acquir acquisit active
addr adequ adjacent adjustabl adjustment administrativ admiss admit advis agenda aggreg aggressiv aging aha aider ais al alarm alia alien alignment alik aliv allen
alongsid altern alto ambient amend american amp analog analys analyst analytic anch angry angular anim annot announcement anonymous answer anthropic anticip anymor
anytim apach apparent appel appl appoint approx april apt ar arb arc arena argc argu argv ark arrang arrival arrow artificial artistic artwork asc asid assignment
asynchronous athlet atom attendanc attitud augment august aura autonomous avg awful awk babel backup backward badly bail bare barri baselin bass baz bean begun behalf
behaviour bell belt bend beneath beneficial besid bg bitcoin bitmap blad blam blast blend blind blockchain blow bob bookmark boom bootstrap bor borrow boss bowl brac
brick brilliant brok brush bubbl bucket bulk bull bullet bump bun bunch burden burst busca buyer calc calm cancell canonical capt cargo ceil cellular cen ceremony
certifi cfg ch champion chan charset cheapest checkout chees chef chest chin china chronic circular clang classical classifi classific classroom claus claw clev close
closest closur cloth cls cnt codecov codex cognitiv coin collaps colleagu collectiv collis colorful colspan combo comedy commenc commerc committe companion comparabl
compell compens compet complain complexity complic composit compound compress concentr conclud conclus concurrency concurrent condition conditional confidential
configurabl confus conscious consecutiv consequenc conservativ consistency constitut consultant consumpt continuous convenienc conventional convey coord cop copi
corrupt council courtesy cow cp cr crack crat creativity creatur criticism crop crush crypto cryptocurrency crystal ctrl cuid cuisin cur curat curious curriculum curv
customiz cyber dado dai dao darkness dash dau david deadlin dear decemb decent decimal declin decor decreas deem defeat defect defend defensiv defer deleg delic
demonstr deni density dependent deposit deprec desenvolvimento deserv destruct deterministic diagnos diagnosis diagnostic diagram dial dialogu diamet diamond difficulty
digest dirty disability disast disciplin disclaim disco discord discrimin dismiss dispos disposal disposit distinctiv diversity divid dla dns documento dod dokument
dominant donat dozen drain drama dramatic drawn drink driven dropdown drov dst dual dummy dup durability durabl dying dyn eager ear easiest east eco ecosystem editorial
edu effectiveness ego elastic elect electron elegant elevat elimin elit elk elsewher em ema emb embrac emerg emiss emot emphasis employ empow encounter encrypt endif
endless endors enforcement engine english enhancement ensembl entra entrada entranc entrepreneur enumer epic epoch eps equat equity equivalent er erro espera essenc
estilo europ eval everybody everywher evident evil evitar evolut ex examin exce excellenc exceptional excessiv excitement exclusive exec executabl exemplo exhaust
exhibit existenc expans expens experimental expir explan explod expr extraordinary extrem facebook facial facilit fad fancy fantasy faq fas fastest fatal fbf feat fed
fenc fewer fi fiber fica fict fid fifth filter fing firebas firefox fixtur flask flav flaw fleet flexibility flip flood fluid flush flux fog forg forgot forgotten fork
fost fract fraud free freq frozen fulfill function furnish gallery gameplay gamma garbag gateway gather gb generous gent gentl genuin geo geometry ghost giant gif gin
githubusercontent gitignor glm golden gonna gotten gov gpu grac graceful gradient gradual grain gram grammar grateful gravity gray grep grey grill grip grocery gross
gui gun hack halt ham handful handoff handy hardcod harmful harmony harsh hart harvest hasn hazard heal heap heartbeat heavi henc hereby heritag hesit hex hill hint
historic hobby hood hopeful horizontal hover hr hud humanity humor hungry hunt hybrid ici iconic identical identific idl illegal im immun implic implicit impress inbox
inclus inclusiv incorpor incorrect increasing incredib increment indent independenc india indirect indo infer infinit inflat informativ infra inicial initiativ inquiry
insight intak integral integrity intellectual intelligent intens intensity intentional interactiv interrupt intersect intervent intim intro invit invoic involvement ios
iphon ips ipsum isa isinstanc italian jako jar jazz jeden jira jok jpg judg judgment juni junk jwt kart kb kim kiss kne kotlin kwarg la laid lak lambda landscap large
laser latency latitud laugh lazy le leaf leak lean leas lectur legacy legendary legitim lemon ler lex lg liability lieu lifetim lightweight likewis linear literal
literatur lod logical logout lokal longest longitud lookup loos loud loung loyal ls lua luc lucky machinery macro magical mainstream maker mandatory marketplac
matplotlib matur maximiz meaningful measurement mechanical mechanism median memorabl mere meter metro microsoft mild mileston minimiz mint minus mir mismatch mistak
mixtur mobility modelo moder modific moe momentum mongoos mono monst mood moon motiv motivo mountain mozilla mutat mutual mvp mysql mysterious mystery myth na nah nail
nak narrativ narrow navbar nearest neat necessari neith ner nes neutral newer newest newslet nice nich nit nobody nodei nord notabl notifi notify novemb npx ns nullabl
numeric nut nutrit oauth oblig obs occasional ocean ocr offensiv offlin oft okay oldest ollama onclick op opacity openai openclaw opera operational opponent oppos
opposit ops optimal ora oral orang ordinary organis orphan osc oss ou ought outcom outer outfit outlet outlin outro overcom overflow overlay overnight overwhelm
overwrit ownership painful pal palett palm panda panic paragraph parallel parcel particl partit passag pasta patienc patron pc peaceful peak peer penalty pep percept
persistenc persistent personality personaliz phi philosophy photograph photography phras physic pi piano pickup pid pilot ping pivot pixel placement playwright pleasant
plug plumb pm pnpm poc pocket poetry poison pol polar polish pollut popularity popup portabl portal portrait powershell prais prd precis precise prep prerequisit
prescript preset principl println priorit prisma priz probability probabl productiv productivity produkt profitabl progressiv projekt prominent promotional proposal
prospect proto provenanc provis prs ps psychological psychology ptr puls punch purpl pursu puzzl quad qualify quasi rack radical rag rally ramp rare rational readi
realistic realm recall receipt recept recherch recipient recognit recycl refact referral reflex refus regardless regex regim regress regret regulatory reliability rely
remember removal repli representativ reproduc requis rescu resident resistant resiz respectiv respective responsiv resto restor restrict resultado retain retir
retirement retreat retriev retrieval retrofit reus reusabl revert revis rewrit rfc rgb rhs rim ritual rm roadmap robust rollback roman rotat rpc rub rush safe sak
sandwich satisfact satisfy sauc scala scalar scat scenario scrap scratch screw se seal seam seasonal seeming seguro semi sensitiv sensitivity sentiment sep separate
septemb seq settl settlement shad shaft shak sharp shelf shi shirt shit shortcut shouldn showcas si significanc silenc simultaneous sketch sla slic slid slim slip
smallest smell smok snippet socc socio sock sole somehow somewhat sop sophistic soup spa spacious spam spar spark spatial spawn specializ specialty spectrum spell spok
spoken spons sponsor sprintf sprit spy sqrt ssl st stability stak stakehold stal stamp standalon stark startup statistical stderr steady steam stitch stmt sto stood
straightforward strain strang strategic strengthen strid strik stringify striv struck structural struggl stub stuck stupid submiss subscrib subsequent substanc
substitut substr subtl suck sudo suffix suicid summariz supabas suppli supportiv suppress surg surgical surveillanc surviv survival suspect suspend suspens
sustainability sustainabl swap sweep swing sword synchroniz synchronous synth synthetic tackl tcp te tear technological tee tekst telegram tenant tens terrain terribl
territory ters tex texto theat thereby thermal thesis theta threw thrown thumb tick tidelift tied time timelin tir toast toml tonight tower toy tr trademark transcrib
transcript transfer transmit transparent trap trash tray triangl trick trigger tripl troubleshoot ttl tub tun tunnel tupl tutorial tweet twenty twist twit typenam
ubuntu uid uint ultim ultimate ultra un unc uncertainty unchang uncomfortabl underground underly understood unexpect unfortunate unicod univers universal unlik unlike
unlimit unlock unnecessary unsaf unset unus unusual ups upset upstream usando usb utc utilis utiliz utm uuid vacuum vad vari variat vat velocity vend venu venv verbos
versatil versus vertex vertic vibrant victory vintag violat violent viral visibility vitej vitest viz voit volatil volta voltag volunte vscod vulnerability vulnerabl
warehous weakness weapon webhook wed weigh weird wellness weren western wherea wherev whitespac wi wider wifi wikipedia wing wireless wis wisdom wit wonder wooden
workout workshop worri worthy wow ws xx xxx xyz yarn yeah yoga youtub yyyy zen zh zod zoom`,
};

/** Pairs of neighbouring Chinese characters, the same. */
const PAIRS: Readonly<Record<number, string>> = {
  2: `
一个一次一步一致下一不会不同不是不要两个中的主要交互什么代码以下任何任务优先优化位置作为使用依赖保存保持保留信息修复修改入口全部关键其他具体内容函数分析切换列表
创建初始删除前端功能加载包含参数参考发现可以可用可能同时同步后端启动命令图片场景基于基本基础增加处理失败如果存储存在学习安全安装完全完成完整定义实现实际对应展示
工作工具已经平台应用建议开发开始当前必须快速性能情况成功所有手动执行扩展技术据库接口控制推荐描述提供提示搜索操作支持效果数据文件文档新增方式方案方法无法日志时间
是一是否显示更新最后服务本地构建架构查看标准标签核心根据格式框架检查检测模块模型模式正确每个没有流程测试添加点击版本状态独立环境现在生成用于用户用的目录目标直接
相关真实确保确认稳定第一策略简单管理类型系统结构结果统一继续网络能力脚本自动自己获取行为要求覆盖规则解决解析触发计算记录设置设计说明调整调用资源路径输入输出过程
运行返回这个进行选择通过逻辑避免部分部署配置错误问题阶段集成需求需要页面项目验证默认`,
  3: `
一下一些上下上传上的下的下载不再不可不能不需业务个人中文为了为什主题之前之后也可了一事件事项产品人的仓库以及件的价值会在会话体验作流你的例如保护停止允许先级全局
关系关闭其中兼容内部写入冲突决定决方决策准备出现出的分为分支分类分钟判断利用到的加入务器动作动化动态动画包括匹配单的卡片即可历史原则原因原始原生反馈发布发送变化
变量只是只有只能可视可选同一名称后台后的后续响应因为固定图标地图地址增强复制复杂多个大小好的如何始化字段字符完善定位定时定的实时客户容易对于对比对话对象导致尝试
就是属性工程己的已完已有布局帮助常用常见应的应该建立开启异常引入引擎引用影响得到循环总结恢复成一成了成后成本成的我们或者户端所以打包打开批量找到报告持续指南指定
按钮排序接收推送提交提升提取提高摘要改为改动改进效率数字数量整的文字文本新的方向无需日期时候明确映射普通智能更多替换最大最小最新最终最近最高有一有效有的未来本文
机制权限条件来源来的查询标记标题校验样式模板正常步骤每次注册注意浏览消息深度清单清晰清理渲染游戏然后特性玩家现有理解生产用了用方界面登录的一的任的内的实的工的情
的数的文的方的时的是的问监控目前看到真正知识研究确定示例移动移除程中程序空间立即符合第三第二等待筛选算法素材索引组件结束统计维护缓存编码编辑考虑而不而是背景能的
自定自然至少节点范围菜单行时行的补充表示要在规划规范视化视图视觉视频览器角色计划认证访问评估识别详细语义语言请求读取调试质量路由转换辅助边界迁移过滤还是这些这是
这样这种这里进入进度连接连续适合选项通用速度遇到采用重复重新重要链接长期间的防止限制随机面板面的顺序预览额外风格风险首次驱动`,
  4: `
一份一句一套一定一条一样一段一点一种一行一键三个三种上一上线上述上限上面下文下方下来下面不一不仅不到不变不多不够不好不存不得不用不足专业专门世界东西两种严格个函
个性个数个文个新个方个模个问中心中断中添中间临时为主为准主动久化之间也不也会习惯了解二次互动交付交易产出产环产生人工人类今天今日介绍仍然他们代理代表以上以使以后
以在们的件中件名件夹任意仿真企业优势会自会被伤害但不但是体的体系作用作的作者使得供的保证信号修正值的假设做了做什健康優先元数元测元素免费入的全面公共公司公开共享
关于关注关的关联具有内存内置再次况下准确减少几个出一出来分享分别分布分数列出判定到一到了到端制作制台刷新前后前状前的加了加到加速务的务逻动时动的动端助手化建化的
区分区域升级协作协议单位单元单独即使压力压缩去重参与友好发展发的发者取消变成变更另一只做只要只需可扩可直可见可靠右侧各种合并合成合理同的后一后会后再后更后面向量
否则否有启用周期命中命名和可哪些唯一器人器的回到回复回归回收回调因此团队图像在一在本在每在的在线在这地方坐标块化块的型的境变备份备注复用外的外部多种大的大量如下
始时媒体存入完美官方定性定期实体实例实施实践审查审计家的容器密码对齐导入导出导航封装小时就不就能尺寸层的屏幕展开属于左右差异已实已知市场希望常量平均并且并发并将
序列底部度的开关开源异步式的弹出强制录下形式形成很多微信心功必要忽略怎么思考性化性和性的息时息的意义意事感知感觉成为成员成时我的截图户体户可户的手机才能扫描技能
抓取报错抽象拆分持久持多指令指标指示按照换为据可据源据的授权排除探索接下接入接受推进提出提醒插件搭建播放收到收藏收集改变改文放在放大故障敌人数值数的数组整个整体
整合整理文案文献文章新建方便旋转日常时会时使时器时的时自时长明显是不是在是对是我是这显式時間晰的暂停暂时更好更改替代最佳最多有两本号本次本的本身本项术栈机器杂的
来自构化果你某个查找标注标识样本样的根目案例桌面检索概念概览概述模拟模糊次性次数欢迎正在正式正文此时每一每周每日比例比如比较汇总法的注入注释活动流量涉及混合清除
滚动满足激活灵活点的然语照片片的物理特定特征特殊现了现代现方现状现的理的生效用一用例用场用时用途由于电脑画面的不的主的人的代的优的位的使的信的全的关的函的分的功
的动的原的参的可的同的图的地的基的安的对的开的所的技的接的最的标的核的模的状的用的目的相的结的自的行的表的视的设的话的过的部的配的错的高监听目的目结相似相同相对
相应知道码的硬编确性确的碰撞確認示词社区禁止禁用离线种方窗口立的章节端到端口端点端的笔记符串签名简介简化简洁类似类的精确约束级别线程组合细的细节经过经验绑定结合
结论绝对统的维度综合编写编排编译缩放缺失缺少网格网站网页置文置的翻译而且而非聊天联动联系聚合能在能够能完能是自動自身致性致的英文获得落地虽然融合行业行中行任行动
行测行程表中表单表格表现表达装依装饰要是要用要的见问观察规模角度解释設定設計警告计数计时认值讨论训练记忆设备设定证据证通评分评论识库详情详见误处调度负责贡献账号
资料起来超时超过趋势距离跳转跳过身份转化软件辑器达到运动还有还没这一进一进程迭代追加追踪退出送到适应适用适配透明通信通常通知速开造成遵循都会都是都有配合采集释放
里的重写重启重建重构重点重置重试量的针对链路键词长度长时间戳阅读阈值阻塞降低降级除了隐藏隔离集中静态非常音频顶部预期预测领域频率颜色飞书首页验收高度高效高级鼠标`,
};

/** Bits of a word that hardly any text has. */
const RARE_BITS = 9;
/** The same of a pair of characters: half a word, and every other pair is none. */
const RARE_PAIR_BITS = 6;

const STEM_BITS: ReadonlyMap<string, number> = new Map(
  Object.entries(STEMS).flatMap(([bits, stems]) => (stems.match(/\S+/gu) ?? []).map((stem) => [stem, Number(bits)])),
);
const PAIR_BITS: ReadonlyMap<string, number> = new Map(
  Object.entries(PAIRS).flatMap(([bits, pairs]) => (pairs.match(/\S\S/gu) ?? []).map((pair) => [pair, Number(bits)])),
);

/** Bits of surprise of a stem. */
export function stemBits(stem: string): number {
  return STEM_BITS.get(stem) ?? RARE_BITS;
}

/** Bits of surprise of two neighbouring Chinese characters. */
export function pairBits(pair: string): number {
  return PAIR_BITS.get(pair) ?? RARE_PAIR_BITS;
}
