import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// How a batch insert reads its rows.
@Suite struct BatchRowsTests {
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
