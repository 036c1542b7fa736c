//
//  Tag+CoreDataClass.swift
//

import Foundation
import CoreData

extension CodingUserInfoKey {
    public static let managedObjectContext = CodingUserInfoKey(rawValue: "managedObjectContext")!
}

enum DecoderConfigurationError: Error {
    case missingManagedObjectContext
}

/// Known to the model as CDTag.
@objc(CDTag)
public class Tag: NSManagedObject, Codable {

    enum CodingKeys: CodingKey {
        case title, weight
    }

    @NSManaged public var title: String
    @NSManaged public var weight: Double
    @NSManaged public var person: Person?

    public required convenience init(from decoder: Decoder) throws {
        guard let context = decoder.userInfo[CodingUserInfoKey.managedObjectContext] as? NSManagedObjectContext else {
            throw DecoderConfigurationError.missingManagedObjectContext
        }

        self.init(context: context)

        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.title = try container.decode(String.self, forKey: .title)
        self.weight = try container.decode(Double.self, forKey: .weight)
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(weight, forKey: .weight)
    }

}
