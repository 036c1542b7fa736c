//
//  Person+CoreDataClass.swift
//

import Foundation
import CoreData
import Kit

@objc(Person)
public class Person: Record {

    @objc public enum Mood: Int16 {
        case calm, cheerful, grumpy
    }

    /// An accessor over the primitive value.
    @objc dynamic public var mood: Mood {
        get {
            willAccessValue(forKey: "mood")
            defer { didAccessValue(forKey: "mood") }
            let raw = primitiveValue(forKey: "mood") as? Int16 ?? 0
            return Mood(rawValue: raw) ?? .calm
        }
        set {
            willChangeValue(forKey: "mood")
            setPrimitiveValue(newValue.rawValue, forKey: "mood")
            didChangeValue(forKey: "mood")
        }
    }

    @NSManaged private var primitiveName: String?

    /// An accessor over a primitive property.
    public var shoutedName: String? {
        willAccessValue(forKey: #keyPath(name))
        defer { didAccessValue(forKey: #keyPath(name)) }
        return primitiveName?.uppercased()
    }

    @objc public class func sortDescriptors() -> [NSSortDescriptor] {
        return [
            NSSortDescriptor(key: #keyPath(Person.name), ascending: true, selector: #selector(NSString.localizedStandardCompare(_:))),
            NSSortDescriptor(keyPath: \Person.created, ascending: false)
        ]
    }

    @objc(peopleNamed:inContext:error:)
    public static func people(named name: String, in context: NSManagedObjectContext) throws -> [Person] {
        let request: NSFetchRequest<Person> = Person.fetchRequest()
        request.predicate = NSPredicate(format: "%K ==[c] %@", #keyPath(Person.name), name)
        request.sortDescriptors = sortDescriptors()
        return try context.fetch(request)
    }

    public static var describedKeys: String { "keys: \(#keyPath(Person.name)), \(#keyPath(Person.team.title))" }

}
