import CoreData
import Testing

@testable import OpenCoreData

/// The dictionary that a batch insert's handler fills in is one of Foundation's, in all but its speed.
@Suite struct BatchRowDictionaryTests {
  @Test func doesWhatFoundationsDoes() {
    var random = SeededGenerator(for: "batch row dictionary")
    let own = BatchRowDictionary()
    for _ in 0..<(200 * Soak.factor) {
      own.clear()
      let other = NSMutableDictionary()
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        let key: AnyHashable =
          switch Int.random(in: 0..<12, using: &random) {
          case 0: NSNumber(value: Int.random(in: 0..<3, using: &random))
          case 1: NSString(string: "k3")
          default: "k\(Int.random(in: 0..<8, using: &random))"
          }
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          own.removeObject(forKey: key)
          other.removeObject(forKey: key)
        case 1:
          own[key] = nil
          other[key] = nil
        case 2:
          own.removeAllObjects()
          other.removeAllObjects()
        default:
          let value = Int.random(in: 0..<100, using: &random)
          own[key] = value
          other[key] = value
        }
        #expect(own.count == other.count)
        #expect(own.object(forKey: key) as? Int == other.object(forKey: key) as? Int)
      }
      #expect(Set(own.allKeys.map { "\($0)" }) == Set(other.allKeys.map { "\($0)" }))
      #expect(own.copy() as? NSDictionary == other)
      #expect(own.isEqual(other))
      #expect(own.mutableCopy() as? NSDictionary == other)
      own[99 as AnyHashable] = 1
      #expect(!own.isEqual(other))
    }
  }

  /// Whatever names a row has, in whatever order, and whatever type their values have.
  @Test func rowsDoNotDependOnThoseBefore() throws {
    var random = SeededGenerator(for: "batch row names")
    let model = Catalog.model()
    let layout = try #require(model.entitiesByName["Item"]).layout
    let names = ["title", "kind", "note"]
    var given: [[String: Any]] = []
    for row in 0..<(300 * Soak.factor) {
      let chosen = names.shuffled(using: &random).prefix(Int.random(in: 0...names.count, using: &random))
      given.append(Dictionary(uniqueKeysWithValues: chosen.map { ($0, "\($0) \(row)" as Any) }))
    }
    var next = given.makeIterator(), same = given.makeIterator()
    let dictionaries = try BatchRows(.dictionaries { next.next() }, of: layout)
    let handler = try BatchRows(
      .dictionaryHandler { dictionary in
        guard let row = same.next() else { return true }
        for (name, value) in row.shuffled(using: &random) { dictionary[name] = value }
        return false
      }, of: layout)
    for row in given {
      for rows in [dictionaries, handler] {
        #expect(try rows.next())
        for slot in layout.slots where names.contains(slot.name) {
          #expect(rows.isGiven(slot.index) == (row[slot.name] != nil))
          let value = rows.values[slot.index].boxed(for: slot) as? String
          #expect(value == (row[slot.name] as? String ?? layout.defaults[slot.index].boxed(for: slot) as? String))
        }
      }
    }
    #expect(try !dictionaries.next() && !handler.next())
  }
}
