import Foundation
import Testing
import XMLReading

@_spi(Store) @testable import OpenCoreData

@Suite struct XMLTextTests {
  /// What the text of an element is after a save and the way back.
  private func roundTrip(_ text: String) throws -> String {
    var output = Array("<a>".utf8)
    XMLStoreText.append(text, to: &output)
    output += Array("</a>".utf8)
    var scanner = try XMLScanner(Data(output))
    var result = ""
    while true {
      switch try scanner.next() {
      case .text(let part): result += part
      case .finished: return XMLStoreText.decoded(result)
      default: continue
      }
    }
  }

  @Test func everyStringComesBack() throws {
    var generator = SeededGenerator(for: "XML text")
    let parts = [
      "\\", "u", "\\u", "\\u3c00", "00", "\r\n", "\r", "\n", "\t", "\0", "\u{1}", "\u{1F}", "\u{7F}", "\u{85}", "<",
      "&",
      ">", "\"", "'", "]]>", "&#13;", "\u{FFFE}", "\u{FFFF}", "\u{FEFF}", "é", "e\u{301}", "漢", "😀", " ", "a",
      "\u{2028}",
    ]
    for _ in 0..<(400 * Soak.factor) {
      let text = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        parts[Int.random(in: 0..<parts.count, using: &generator)]
      }.joined()
      let found = try roundTrip(text)
      #expect(Array(found.unicodeScalars) == Array(text.unicodeScalars), "\(text.debugDescription)")
    }
  }

  /// Characters of two bytes that both count stay; only those that need it are written so.
  @Test func readsWhatApplesFrameworkWrites() {
    #expect(XMLStoreText.decoded(#"\u3c00b\u3e00 \u2600 \u0a00"#) == "<b> & \n")
    #expect(XMLStoreText.decoded(#"\u003c"#) == "<")
    #expect(XMLStoreText.decoded(#"\u3dd800de"#) == #"\u3dd800de"#)
    #expect(XMLStoreText.decoded(#"\u3dd8\u00de"#) == "😀")
    #expect(XMLStoreText.decoded(#"C:\users \u12 \ux"#) == #"C:\users \u12 \ux"#)
  }

  @Test(arguments: [
    ("<a>", "line 1"), ("<a></b>", "ends what it does not begin"), ("<a b='1' b='2'/>", "attribute b"),
    ("<a b=1/>", "no quotes"), ("<a>&nbsp;</a>", "begins no character"), ("<a>&#0;</a>", "begins no character"),
    ("<a/><b/>", "second document"), ("x<a/>", "outside"), ("<a>\u{1}</a>", "not allow"), ("", "no element"),
    ("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "declarations of its own"),
    ("<?xml version='1.0' encoding='UTF-16'?><a/>", "utf-16"), ("<a><!-- </a>", "ends before"),
    ("<a b='<'/>", "attribute's value"), (String(repeating: "<a>", count: 200), "too deeply"),
  ])
  func refusesWhatIsNotWellFormed(_ text: String, _ reason: String) throws {
    let problem = #expect(throws: XMLProblem.self) {
      var scanner = try XMLScanner(Data(text.utf8))
      while true { if case .finished = try scanner.next() { break } }
    }
    let found = XMLStore.describe(StoreFileProblem(try #require(problem)), in: Data(text.utf8))
    #expect(found.contains(reason), "\(found)")
  }
}
