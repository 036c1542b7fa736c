//
//  Transformers.swift
//  Formats
//

import Foundation

/// Turns a text by a number of letters.
@objc(RotatingTransformer)
class RotatingTransformer: Foundation.ValueTransformer {

    let offset: UInt8

    init(offset: UInt8) {
        self.offset = offset
        super.init()
    }

    override class func transformedValueClass() -> AnyClass { return NSData.self }

    override class func allowsReverseTransformation() -> Bool { return true }

    override func transformedValue(_ value: Any?) -> Any? {
        return (value as? String).map { Data($0.utf8.map { $0 &+ offset }) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        return (value as? Data).map { String(decoding: $0.map { $0 &- offset }, as: UTF8.self) }
    }

}

/// Made by its name, and by a name for logs.
final class ListTransformer: NSSecureUnarchiveFromDataTransformer {

    var label = "list"

    convenience init(label: String) {
        self.init()
        self.label = label
    }

    override init() {
        super.init()
    }

    override class var allowedTopLevelClasses: [AnyClass] { return [NSArray.self, NSString.self] }

}

extension Foundation.NSValueTransformerName {
    static let rotating = NSValueTransformerName(rawValue: "RotatingTransformer")
}
