import CoreData
import Foundation

extension StoreConformance {
  /// Values at the limits of each type, by attribute name.
  private static var edges: [String: [Any]] {
    [
      "int16": [Int(Int16.min), -1, 0, 1, Int(Int16.max)], "int32": [Int(Int32.min), 7, Int(Int32.max)],
      "int64": [Int64.min, -9, 0, 1 << 53 + 1, Int64.max], "flag": [true, false],
      "double": [0.1, -2.5e-300, Double.greatestFiniteMagnitude, 0.0], "float": [Float(0.1), Float(-3.5e30)],
      "decimal": [NSDecimalNumber(string: "12.25"), NSDecimalNumber(string: "-3"), NSDecimalNumber(string: "0.1")],
      "text": ["", "plain", "ä\u{301}ß日本 👩‍👩‍👧", "line\nline\r\n\ttab", "<a b=\"c\">&amp;'</a>", "\\u003c \u{7f}"],
      "date": [Date(timeIntervalSinceReferenceDate: 0.125), Date(timeIntervalSinceReferenceDate: -1e9)],
      "data": [Data(), Data([0, 1, 2, 255]), Data(repeating: 7, count: 200_000)],
      "uuid": [UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF") as Any],
      "uri": [URL(string: "https://example.com/a%20b?c=d#e") as Any],
    ]
  }

  private static func text(_ value: Any?) -> String {
    switch value {
    case nil: "nil"
    case let value as Data: "data \(value.count) \(value.reduce(0) { ($0 &* 31) &+ Int($1) })"
    case let value as Date: "date \(value.timeIntervalSinceReferenceDate)"
    case let value as String: "text \(Array(value.unicodeScalars.map(\.value)))"
    case let value?: "\(value)"
    }
  }

  private static func compare(_ objects: [NSManagedObject], _ expected: [[String: String]]) throws {
    try expectEqual(objects.count, expected.count, "objects")
    for (object, values) in zip(objects, expected) {
      for (name, value) in values { try expectEqual(text(object.value(forKey: name)), value, name) }
    }
  }

  /// Saves an object for each value at a limit, and returns the texts of the objects' values before the save.
  private static func insertEdges(_ context: NSManagedObjectContext) throws -> [[String: String]] {
    let count = edges.values.map(\.count).max() ?? 0
    var expected: [[String: String]] = []
    for index in 0..<count {
      let object = context.make("Thing")
      for (name, values) in edges where name != "int64" { object.setValue(values[index % values.count], forKey: name) }
      object.setValue(index, forKey: "int64")
      let names = ConformanceModel.attributeTypes.map(\.name)
      expected.append(Dictionary(uniqueKeysWithValues: names.map { ($0, text(object.value(forKey: $0))) }))
    }
    try context.save()
    return expected
  }

  static let valueChecks: [StoreCheck] = [
    StoreCheck("Values of every type come back as they were saved") { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      let expected = try first.performAndWait { try insertEdges(first) }
      stack.coordinator.emptyRowCache()
      try second.performAndWait { try compare(try second.find("Thing", by: ["int64"]), expected) }
      try first.performAndWait {
        first.refreshAllObjects()
        try compare(try first.find("Thing", by: ["int64"]), expected)
      }
    },
    StoreCheck("Values of every type are there when the store is added again", needs: [.reopening]) { subject in
      let stack = try subject.stack()
      let expected = try stack.context.performAndWait { try insertEdges(stack.context) }
      let again = try stack.reopened()
      try again.context.performAndWait { try compare(try again.context.find("Thing", by: ["int64"]), expected) }
    },
    StoreCheck("Transformable and composite values come back", needs: [.composites]) { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      let palette: NSArray = ["red", NSNumber(value: 7), Data([1, 2])]
      try first.performAndWait {
        first.make("Drawing", ["title": "a", "palette": palette, "place": ["street": "Main", "number": 7]])
        first.make("Drawing", ["title": "b"])
        try first.save()
      }
      stack.coordinator.emptyRowCache()
      try second.performAndWait {
        let drawing = try second.one("Drawing", "place.street == 'Main' AND place.number == 7")
        try expectEqual(drawing.value(forKey: "palette") as? NSArray, palette, "palette")
        let place = drawing.value(forKey: "place") as? [String: Any]
        try expectEqual(place?["street"] as? String, "Main", "street")
        try expectEqual(drawing.value(forKeyPath: "place.number") as? Int, 7, "number")
        let other = try second.one("Drawing", "title == 'b'")
        try expect(other.value(forKey: "palette") == nil, "a palette for nothing")
        try expect(other.value(forKey: "place") == nil, "a place for nothing")
      }
    },
    StoreCheck("Integers of 64 bits are exact") { subject in
      let stack = try subject.stack()
      let context = stack.context, second = stack.another()
      try context.performAndWait {
        for value in edges["int64"] ?? [] { context.make("Thing", ["int64": value, "int16": 1]) }
        try context.save()
      }
      stack.coordinator.emptyRowCache()
      try second.performAndWait {
        let found = try second.find("Thing", by: ["int64"]).compactMap { $0.value(forKey: "int64") as? Int64 }
        try expectEqual(found, [Int64.min, -9, 0, 1 << 53 + 1, Int64.max], "int64")
      }
    },
    StoreCheck("nil stays nil, and a value can become nil and something again") { subject in
      let stack = try subject.stack()
      let context = stack.context, second = stack.another()
      try context.performAndWait {
        let object = context.make("Thing")
        try context.save()
        for (name, values) in edges { object.setValue(values[0], forKey: name) }
        try context.save()
        for name in edges.keys { object.setValue(nil, forKey: name) }
        try context.save()
      }
      stack.coordinator.emptyRowCache()
      try second.performAndWait {
        let object = try second.one("Thing")
        for name in edges.keys { try expect(object.value(forKey: name) == nil, "\(name) is not nil") }
        object.setValue("again", forKey: "text")
        try second.save()
      }
      try context.performAndWait {
        context.refreshAllObjects()
        try expectEqual(try context.one("Thing").value(forKey: "text") as? String, "again", "text")
      }
    },
  ]
}
