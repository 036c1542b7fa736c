import CocoaFoundation
import Foundation
import Testing

import class OpenCocoaFoundation.NSExpression

/// Methods that a module adds to Foundation's classes for values, called by `FUNCTION`.
@Suite struct ValueMethodTests {
  private func value(_ format: String, of object: Any?) throws -> Any? {
    Registered.once
    return try NSExpression(parsing: format).checkedValue(with: object, context: nil)
  }

  @Test func theyAreFoundOnSwiftsValues() throws {
    let object: [String: Any] = [
      "text": "ann", "old": NSString("bob"), "part": "xyz".dropFirst(), "number": 21, "decimal": Decimal(4),
      "date": Date(timeIntervalSinceReferenceDate: 60), "list": [1, 2, 3], "set": Set([1, 2]),
    ]
    #expect(try value("FUNCTION(text, 'shout:', '!')", of: object) as? String == "ANN!")
    #expect(try value("FUNCTION(old, 'shout:', '?')", of: object) as? String == "BOB?")
    #expect(try value("FUNCTION('constant', 'shout:', '')", of: object) as? String == "CONSTANT")
    #expect(try value("FUNCTION(number, 'doubled')", of: object) as? Int == 42)
    #expect(try value("FUNCTION(decimal, 'doubled')", of: object) as? Int == 8)
    #expect(try value("FUNCTION(date, 'minutes')", of: object) as? Double == 1)
    #expect(try value("FUNCTION(list, 'howMany')", of: object) as? Int == 3)
    #expect(try value("FUNCTION(set, 'howManyDifferent')", of: object) as? Int == 2)
    // Inherited by a mutable one; of nil it is nil.
    #expect(try value("FUNCTION(m, 'shout:', '!')", of: ["m": NSMutableString("m")]) as? String == "M!")
    #expect(try value("FUNCTION(missing, 'shout:', '!')", of: object) == nil)
    #expect(NSPredicate(format: "FUNCTION(text, 'shout:', '!') == 'ANN!'").evaluate(with: object))
  }

  @Test func whatWasThereBeforeIsFoundAsBefore() throws {
    let object: [String: Any] = ["text": "ann"]
    #expect(try value("text.stringByAppendingString('x')", of: object) as? String == "annx")
    #expect(try value("FUNCTION(text, 'length')", of: object) as? Int == 3)
    #expect(throws: OCDEvaluationError.self) { try value("FUNCTION(text, 'unknown:', 1)", of: object) }
  }

  /// What the plugins write for `@objc` members in extensions of these classes.
  private enum Registered {
    static let once: Void = _registerClassMembers {
      [
        _ClassMember(NSString.self, selector: "shout:", NSString.shout(_:)),
        _ClassMember(NSNumber.self, selector: "doubled", NSNumber.doubled),
        _ClassMember(NSDate.self, selector: "minutes", NSDate.minutes),
        _ClassMember(NSArray.self, selector: "howMany", NSArray.howMany),
        _ClassMember(NSSet.self, selector: "howManyDifferent", NSSet.howManyDifferent),
      ]
    }
  }
}

extension NSString {
  fileprivate func shout(_ mark: String) -> String { uppercased + mark }
}

extension NSNumber {
  fileprivate func doubled() -> NSNumber { NSNumber(value: doubleValue * 2) }
}

extension NSDate {
  fileprivate func minutes() -> Double { timeIntervalSinceReferenceDate / 60 }
}

extension NSArray {
  fileprivate func howMany() -> Int { count }
}

extension NSSet {
  fileprivate func howManyDifferent() -> Int { count }
}
