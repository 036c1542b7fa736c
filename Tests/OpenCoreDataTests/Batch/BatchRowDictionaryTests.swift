import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What a batch insert's handler can do with the dictionary that it fills in.
@Suite struct BatchRowDictionaryTests {
  private static let names = ["title", "kind", "rating", "date", "weight"]

  private func make() -> NSMutableDictionary {
    BatchRowDictionary(BatchRowDictionary.AttributeNames(ContiguousArray(Self.names)))
  }

  private func keys(_ dictionary: NSDictionary) -> [String] { dictionary.allKeys.map { "\($0)" }.sorted() }

  private func lines(_ dictionary: NSDictionary) -> [String] {
    dictionary.description.split(separator: "\n").map(String.init).sorted()
  }

  /// It is one of Foundation's to whoever uses it.
  @Test(arguments: RandomSeeds.seeds(20)) func itIsLikeFoundations(seed: UInt64) {
    print("dictionaries of batch rows: SEED=\(seed)")
    var random = SeededGenerator(seed: seed)
    let row = make()
    let plain = NSMutableDictionary()
    let values: [Any] = [
      "text", 7, 2.5, true, Date(timeIntervalSinceReferenceDate: 5), Int16(3), NSNull(), [1, 2], Data([1]),
    ]
    for _ in 0..<80 {
      let name = (Self.names + ["other", "more"]).randomElement(using: &random) ?? ""
      let value = values.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<12, using: &random) {
      case 0...3: for one in [row, plain] { one[name] = value }
      case 4: for one in [row, plain] { one.setObject(value, forKey: NSString(string: name)) }
      case 5: for one in [row, plain] { one[name] = nil }
      case 6: for one in [row, plain] { one.removeObject(forKey: NSString(string: name)) }
      case 7: for one in [row, plain] { one.addEntries(from: [name: value].merging(["kind": "x"]) { $1 }) }
      case 8: for one in [row, plain] { one.setDictionary([name: value]) }
      case 9: for one in [row, plain] { one.removeObjects(forKeys: [name, "title"]) }
      case 10: for one in [row, plain] { one[5] = value }
      default: for one in [row, plain] where name == "more" { one.removeAllObjects() }
      }
      #expect(row.count == plain.count && keys(row) == keys(plain) && lines(row) == lines(plain))
      #expect(row.isEqual(plain) && row.isEqual(plain.copy()) && row.hash == plain.hash)
      #expect(row.isEqual(to: (plain as? [AnyHashable: Any]) ?? [:]))
      for key in keys(plain) {
        let (found, wanted) = (row[key], plain[key])
        #expect(found.map { "\(type(of: $0)) \($0)" } == wanted.map { "\(type(of: $0)) \($0)" })
        #expect("\(row.value(forKey: key) as Any)" == "\(plain.value(forKey: key) as Any)")
      }
      var found: [String] = []
      for (key, value) in row { found.append("\(key): \(value)") }
      row.enumerateKeysAndObjects { key, value, _ in #expect(found.contains("\(key): \(value)")) }
      #expect(found.count == row.count && found.count == row.allValues.count)
    }
    #expect((row.copy() as? NSDictionary) == plain && (row.mutableCopy() as? NSMutableDictionary) == plain)
    #expect(row["nothing"] == nil && row[17] == nil)
  }

  /// Rows that the handler keeps are its own.
  @Test func rowsThatAreKept() throws {
    let model = Catalog.model()
    defer { withExtendedLifetime(model) {} }
    var kept: [NSMutableDictionary] = []
    let rows = try BatchRows(
      .dictionaryHandler { dictionary in
        kept.append(dictionary)
        dictionary["title"] = "row \(kept.count)"
        return kept.count > 3
      }, of: try #require(model.entitiesByName["Item"]).layout)
    while try rows.next() {}
    #expect(kept.compactMap { $0["title"] as? String } == ["row 1", "row 2", "row 3", "row 4"])
  }

  @Test func unknownNamesAndValuesEndTheRequest() throws {
    let model = Catalog.model()
    defer { withExtendedLifetime(model) {} }
    let layout = try #require(model.entitiesByName["Item"]).layout
    for (key, value) in [("nothing", 1 as Any), ("title", 5)] {
      let rows = try BatchRows(
        .dictionaryHandler { dictionary in
          dictionary[key] = value
          return false
        }, of: layout)
      do {
        _ = try rows.next()
        Issue.record("\(key) was taken")
      } catch let error as NSError {
        #expect(error.code == NSManagedObjectValidationError, "\(error)")
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key)
      }
    }
  }
}
