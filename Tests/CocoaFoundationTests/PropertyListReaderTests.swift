import Foundation
import OpenCocoaFoundation
import Testing

/// Property lists from outside.
@Suite struct PropertyListReaderTests {
  private static var list: [String: Any] {
    [
      "text": "a", "wide": "ä€😀", "number": 7, "negative": -3, "real": 1.5, "truth": true, "data": Data([1, 2]),
      "date": Date(timeIntervalSinceReferenceDate: 5), "list": [1, "x", ["y": [2]]], "empty": [String: Any](),
    ]
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func valuesAreThoseOfFoundation(format: PropertyListSerialization.PropertyListFormat) throws {
    let data = try PropertyListSerialization.data(fromPropertyList: Self.list, format: format, options: 0)
    #expect(try PropertyListReader.dictionary(data) as NSDictionary == Self.list as NSDictionary)
  }

  /// {"a": a set of "x"}, which Foundation reads and stops the program for when it is cast.
  static let withSet = Data(
    Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x61, 0xC1, 3, 0x51, 0x78] + [0x08, 0x0B, 0x0D, 0x0F]
      + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 4] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0x11])

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
