import Foundation
import OpenCocoaFoundation
import Testing

/// Property lists from outside.
@Suite struct PropertyListReaderTests {
  private static var list: [String: Any] {
    [
      "unsigned": UInt64.max, "text": "a", "wide": "ä€😀", "number": 7, "negative": -3, "real": 1.5, "truth": true,
      "data": Data([1, 2]),
      "date": Date(timeIntervalSinceReferenceDate: 5), "list": [1, "x", ["y": [2]]], "empty": [String: Any](),
    ]
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func valuesAreThoseOfFoundation(format: PropertyListSerialization.PropertyListFormat) throws {
    let data = try PropertyListSerialization.data(fromPropertyList: Self.list, format: format, options: 0)
    #expect(try PropertyListReader.dictionary(data) as NSDictionary == Self.list as NSDictionary)
  }

  /// {"a": a set of "x"}, which Foundation reads and stops the program for when it is cast.
  static let withSet: Data = {
    let values: [UInt8] = [0xD1, 1, 2, 0x51, 0x61, 0xC1, 3, 0x51, 0x78, 0x08, 0x0B, 0x0D, 0x0F]
    let trailer: [UInt8] = [
      0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11,
    ]
    return Data(Array("bplist00".utf8) + values + trailer)
  }()

  @Test func setsAreRefused() throws {
    let error = #expect(throws: ArchiveProblem.self) { try PropertyListReader.dictionary(Self.withSet) }
    #expect(error?.reason.contains("unknown kind") == true)
  }

  @Test func whatIsNoneIsRefused() throws {
    let array = try PropertyListSerialization.data(fromPropertyList: [1], format: .binary, options: 0)
    for data in [Data(), Data("{a = b;}".utf8), Data("<plist><dict>".utf8), Data("bplist00".utf8), array] {
      #expect(throws: ArchiveProblem.self) { try PropertyListReader.dictionary(data) }
    }
  }

  @Test(arguments: [65, 1_000, 200_000])
  func deepListsAreRefused(depth: Int) throws {
    let xml =
      "<plist version=\"1.0\"><dict><key>a</key>" + String(repeating: "<array>", count: depth)
      + String(repeating: "</array>", count: depth) + "</dict></plist>"
    #expect(throws: ArchiveProblem.self) { try PropertyListReader.dictionary(Data(xml.utf8)) }
  }

  /// Ends that a comment or text has do not count.
  @Test(arguments: ["<!--</></>-->", "<![CDATA[</>]]>"])
  func depthBehindCommentsIsSeen(text: String) throws {
    let xml =
      "<plist version=\"1.0\"><dict><key>a</key>" + String(repeating: "<array>" + text, count: 200_000)
      + String(repeating: "</array>", count: 200_000) + "</dict></plist>"
    #expect(throws: ArchiveProblem.self) { try PropertyListReader.dictionary(Data(xml.utf8)) }
  }

  /// What Foundation writes of the ends of what there is, and what people write.
  @Test func valuesInXML() throws {
    let list: [String: Any] = [
      "least": Int64.min, "most": Int64.max, "unsigned": UInt64.max, "infinite": Double.infinity,
      "tiny": Double.leastNonzeroMagnitude,
      "past": Date(timeIntervalSinceReferenceDate: -12_000_000_000),
      "future": Date(timeIntervalSinceReferenceDate: 1e11),
      "leap": Date(timeIntervalSinceReferenceDate: 730_000_000), "text": " a\n<b>&\"\u{1F600}", "none": "",
      "bytes": Data(),
    ]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    #expect(try PropertyListReader.dictionary(data) as NSDictionary == list as NSDictionary)

    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- by hand -->
      <plist><dict>
        <key>a</key><integer> 0x1F </integer> <key>b</key><integer>-0</integer> <key>c</key><real>-Infinity</real>
        <key>d</key><string>x<![CDATA[<y>]]>&amp;</string> <key>e</key><data> AA
        EC </data> <key>f</key><date>2001-01-01T00:00:01Z</date> <key>g</key><array/> <key>a</key><integer>2</integer>
      </dict></plist>
      """
    let read = try PropertyListReader.dictionary(Data(xml.utf8)) as NSDictionary
    let expected: [String: Any] = [
      "a": 2, "b": 0, "c": -Double.infinity, "d": "x<y>&", "e": Data([0, 1, 2]),
      "f": Date(timeIntervalSinceReferenceDate: 1), "g": [Any](),
    ]
    #expect(read == expected as NSDictionary)
  }

  @Test(arguments: [
    "<integer>x</integer>", "<integer></integer>", "<integer>99999999999999999999</integer>", "<real>1e999</real>",
    "<date>2026-13-01T00:00:00Z</date>", "<date>9999999999999-01-01T00:00:00Z</date>", "<date>Z</date>",
    "<data>A</data>", "<set/>", "<true>x</true>", "<key>b</key>", "text", "<string><b/></string>", "",
  ])
  func valuesThatAreNoneAreRefused(value: String) {
    let xml = "<plist version=\"1.0\"><dict><key>a</key>\(value)</dict></plist>"
    #expect(throws: ArchiveProblem.self) { try PropertyListReader.dictionary(Data(xml.utf8)) }
  }

  /// Every byte changed, and every beginning: an answer or an error.
  @Test func damageIsAnAnswerOrAnError() throws {
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let data = try PropertyListSerialization.data(fromPropertyList: Self.list, format: format, options: 0)
      for place in data.indices {
        for byte: UInt8 in [0, 0x7F, 0xC1, 0xFF, data[place] ^ 1] {
          var damaged = data
          damaged[place] = byte
          _ = try? PropertyListReader.dictionary(damaged)
        }
        _ = try? PropertyListReader.dictionary(data.prefix(place))
      }
    }
  }
}
