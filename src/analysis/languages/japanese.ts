// Japanese. Words are not inflected in titles and have no blanks between them; hiragana is written as katakana.

import type { LanguageRules } from "../language-rules.js";

/** From a letter of hiragana to that of katakana. */
const TO_KATAKANA = 0x60;
const HIRAGANA = /[\u3041-\u3096]/g;

const asItIs = (word: string): string => word;

export async function japaneseRules(): Promise<LanguageRules> {
  return {
    tag: "ja",
    id: "japanese-1",
    stem: asItIs,
    lightForm: asItIs,
    normalization: {
      retouch: (normal) =>
        normal.replace(HIRAGANA, (letter) => String.fromCharCode(letter.charCodeAt(0) + TO_KATAKANA)),
    },
    stopWords: `
      ノ ハ ガ ヲ ニ ヘ ト デ モ ヤ カ カラ マデ ヨリ ナド トカ コノ ソノ アノ コレ ソレ アレ デス マス スル シタ サレ イル アル`,
    titles: {
      head: "last",
      boundaries: "for",
      ends: "of",
      joiners: "and",
      attributes: `
        黒 白 赤 青 緑 黄 茶 紫 灰 銀 金 紺 黒色 白色 赤色 青色 緑色 黄色 茶色 紫色 灰色 銀色 金色 紺色 ブラック ホワイト レッド ブルー グリーン
        イエロー ブラウン パープル グレー シルバー ゴールド ネイビー ピンク オレンジ ベージュ アイボリー カーキ 透明 クリア 大 中 小 特大 大型 小型 中型 薄型
        軽量 新品 中古 国産 日本製 送料無料 公式 正規品 限定 新型 木製 金属製 革 本革 綿 麻 羊毛 絹 ポリエステル ナイロン ステンレス アルミ プラスチック
        メンズ レディース キッズ 男女兼用 男性 女性 子供 大人 ワイヤレス 有線 無線 防水 折リタタミ 充電式 電動 手動 自動 ミニ コンパクト セット`,
      unspaced: {
        purpose: "用",
        describing: /(?:用|付キ|ツキ|付|入リ|込ミ|対応|仕様|製|型|式|色|柄|風|向ケ|サイズ|タイプ|セット)$/,
      },
    },
    measures: {
      units: `
        v ボルト
        w ワット
        kw キロワット
        hp 馬力
        a アンペア
        mah ミリアンペア時
        kcal キロカロリー
        m メートル
        km キロメートル
        cm センチ センチメートル
        mm ミリ ミリメートル
        in インチ
        ft フィート
        m2 平方メートル 平米
        kg キロ キログラム
        g グラム
        mg ミリグラム
        tonne トン
        oz オンス
        lb ポンド
        l リットル
        dl デシリットル
        ml ミリリットル
        m3 立方メートル
        cup カップ
        gb ギガ ギガバイト
        tb テラ テラバイト
        mb メガバイト
        hz ヘルツ
        s 秒
        min 分 分間
        h 時間
        day 日 日間
        week 週間
        month ヶ月 カ月 ケ月 箇月
        year 年 年間
        percent パーセント
        lm ルーメン
        db デシベル
        mp 万画素
        pc 個 コ 本 点 ピース 個入リ 本入リ
        dozen ダース
        pk パック 袋 箱
        seat 人掛ケ 人掛 席
        person 人 人用 名
        drawer 杯
        door ドア
        shelf 棚
        tier 段
        panel パネル
        pocket ポケット
        slice 切レ
        burner 口
        wheel 輪
        speed 段変速
        string 弦
        key キー
        blade 枚刃
        hole 穴
        pair 足 組 双 ペア
        layer 層
        channel チャンネル
        port ポート
        core コア
        sheet 枚 枚入リ
        page ページ 頁
        room 部屋`,
      numbers: "一/一ツ/ヒトツ 二/二ツ/フタツ 三/三ツ/ミッツ 四/四ツ/ヨッツ 五 六 七 八 九 十 十一 十二",
    },
    attributes: {
      title: "商品名 タイトル 品名 名称",
      category: "カテゴリ カテゴリー 分類 商品分類 ジャンル",
      identifier: "品番 型番 商品コード 商品番号 管理番号",
    },
    probes: `
      机 椅子 カーテン 鏡 フライパン 包丁 コーヒー スープ ホース 芝生 トマト 花 金槌 ねじ ペンキ はしご
      電灯 ろうそく ケーブル 煙 コート 上着 マフラー ベルト 靴 ブーツ 靴下 帽子 イヤリング 腕時計 指輪 ハンドバッグ
      口紅 髪 かみそり マニキュア ビタミン 咳 膝 血圧 赤ちゃん パズル ぬいぐるみ 学校 犬 猫 魚 鳥
      自転車 電池 油 屋根 敷物 ラケット 釣り竿 水泳 テント 睡眠 枕 スーツケース ギター ピアノ レコード 太鼓
      ゲーム機 マウス パソコン プリンター 電話 カメラ 記憶 スピーカー 鉛筆 紙 カレンダー 箱 小説 料理 地図帳 映画
      オリーブ お茶 チョコレート 鮭 ワイン ジュース ケーキ 朝食 洗剤 掃除機 タオル シャワー ミシン 毛糸 筆 粘土
      税金 契約 口座 裁判所 電車 ホテル 市街図 空港 天気 海 太陽 火山 心臓 たんぱく質 研究 手術
      城 哲学 オペラ 彫刻 仕事 言葉 試験 先生 サッカー 将棋 マラソン トランプ サーバー 暗証番号 ファイル プログラム`,
  };
}
