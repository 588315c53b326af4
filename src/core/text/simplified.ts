/** Traditional signs of Chinese that words of logs are written with, and the simplified ones in the same order. */
const TRADITIONAL =
  '輪個會階戶動後續計劃規辦來決實現餘遺標議薦訓經驗條準則進礙難點問認識體獲約範風險暫選緩狀態當總覽構結術棧環賴錄參資鏈說圖統裝設債務斷軟圍邊細節詳備須啓開徑驟關檔題證響測試復優變記歷發調項內產裏鍵單碼況級長終與麼學樣還確爲遷並話時間錯誤論強補齊擴導傳線載採訂處滾銷寫緊斂寬換減隱創編譯義離運執閉刪棄歸冊應檢對聯適評審習閱讀嘗討溝請擇練監蹤將從繼徹們過於畢納敗無據號負責輸釋裡週麽綫誌註併複説佈啟穫為';
const SIMPLIFIED =
  '轮个会阶户动后续计划规办来决实现余遗标议荐训经验条准则进碍难点问认识体获约范风险暂选缓状态当总览构结术栈环赖录参资链说图统装设债务断软围边细节详备须启开径骤关档题证响测试复优变记历发调项内产里键单码况级长终与么学样还确为迁并话时间错误论强补齐扩导传线载采订处滚销写紧敛宽换减隐创编译义离运执闭删弃归册应检对联适评审习阅读尝讨沟请择练监踪将从继彻们过于毕纳败无据号负责输释里周么线志注并复说布启获为';
const SIGN = new RegExp(`[${TRADITIONAL}]`, 'g');

/** A text with the signs of simplified Chinese, for words that are known in these alone. As long as before. */
export const simplified = (text: string): string =>
  text.replace(SIGN, (sign) => SIMPLIFIED[TRADITIONAL.indexOf(sign)] ?? sign);
